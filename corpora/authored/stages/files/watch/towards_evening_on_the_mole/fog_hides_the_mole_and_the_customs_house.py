from harbour.anchors import replace_the_stern_anchor_and_its_chain

replace_the_stern_anchor_and_its_chain(1, 2, 3)
