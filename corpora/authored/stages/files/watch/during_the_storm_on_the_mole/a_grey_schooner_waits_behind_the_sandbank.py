from harbour.anchors import stow_the_stern_anchor_and_its_chain

stow_the_stern_anchor_and_its_chain(1, 2, 3)
