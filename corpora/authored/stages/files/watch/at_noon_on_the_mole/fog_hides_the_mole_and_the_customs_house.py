from harbour.anchors import clean_the_stern_anchor_and_its_chain

clean_the_stern_anchor_and_its_chain(1, 2, 3)
