from harbour.anchors import lend_the_stern_anchor_and_its_chain

lend_the_stern_anchor_and_its_chain(1, 2, 3)
