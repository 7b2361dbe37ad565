//! B3 and B5: gates that a sign-off over the full set needs and that nothing can judge yet. They
//! have their places here, so a run over that set says that they were not run, and does not pass.

use record::{Cell, GateId, Profile, Set};

use super::{Gate, Judge, Need};
use crate::{
    RunView,
    place::Place,
    protocol::{Protocol, ProtocolError},
};

/// B3: every runtime path of large content, executed against a real store.
pub(super) const B3: NotBuilt = NotBuilt {
    id: GateId::B3,
    title: "runtime paths of large content",
    missing: "the store of large content does not exist yet",
};

/// B5: the whole of A and B in one deterministic run, the store included.
pub(super) const B5: NotBuilt = NotBuilt {
    id: GateId::B5,
    title: "end to end",
    missing: "it needs gate B3, which does not exist yet",
};

/// A gate without a judge.
#[derive(Debug, Clone, Copy)]
pub(super) struct NotBuilt {
    id: GateId,
    title: &'static str,
    /// What there must be before it can be judged.
    missing: &'static str,
}

impl Gate for NotBuilt {
    fn title(&self) -> &'static str {
        self.title
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[]
    }

    fn judge(&self, _: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(*self))
    }
}

impl Judge for NotBuilt {
    fn run(&self, _: &RunView) -> Vec<Cell> {
        let place = Place { corpus: "", case: "", budget: None };
        vec![place.not_run(self.id, "is_judged", self.missing)]
    }
}
