from harbour.anchors import repair_the_stern_anchor_and_its_chain

repair_the_stern_anchor_and_its_chain(1, 2, 3)
