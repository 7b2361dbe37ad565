import { Cart, Product, Sized } from './shop';

export function startCheckout(products: Sized<Product>[]): Cart<Product> {
  const cart = new Cart<Product>();
  for (const product of products) cart.addProduct(product);
  return cart;
}

namespace Legacy {
  export const version = 1;
}

abstract class Payment {
  abstract pay(cart: Cart<Product>): Promise<boolean>;
}
