from harbour.anchors import drop_the_stern_anchor_and_its_chain

drop_the_stern_anchor_and_its_chain(1, 2, 3)
