from shop.basket import open_basket
from shop.catalogue import load_catalogue

catalogue = load_catalogue(["1 tea", "2 cup"])
assert catalogue.find_item(1)["name"] == "tea"
basket = open_basket("items.txt")
basket.put(2)
print(basket.total_price(lambda number: number))
