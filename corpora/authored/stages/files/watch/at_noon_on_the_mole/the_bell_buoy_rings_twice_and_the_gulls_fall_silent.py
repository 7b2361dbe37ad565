from harbour.anchors import paint_the_stern_anchor_and_its_chain

paint_the_stern_anchor_and_its_chain(1, 2, 3)
