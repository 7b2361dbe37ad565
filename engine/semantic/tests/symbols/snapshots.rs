//! A file cut down to some of its symbols.

use super::place::Place;

const SERVICE: &str = "import jwt from 'jsonwebtoken';
import { JwtPayload } from './auth';
import { Store } from './store';

const EXPIRY = 3600;
const UNUSED = 1;

/** Issues tokens. */
export class TokenService {
  private secret: string;
  private store: Store;

  constructor(secret: string) {
    this.secret = secret;
  }

  /** Checks a token. */
  verify(token: string): JwtPayload {
    return jwt.verify(token, this.secret);
  }

  issue(user: string): string {
    return this.store.add(jwt.sign({ user }, this.secret, { expiresIn: EXPIRY }));
  }
}
";

fn place() -> Place {
    let auth = "export interface JwtPayload { user: string }\n";
    let store = "export class Store { add(token: string) { return token; } }\n";
    Place::of(&[("service.ts", SERVICE), ("auth.ts", auth), ("store.ts", store)])
}

#[test]
fn a_method_is_shown_with_what_it_uses_and_nothing_else() {
    let expected = "// service.ts

import jwt from 'jsonwebtoken';
import { JwtPayload } from './auth';

export class TokenService {
  private secret: string;

  /** Checks a token. */
  verify(token: string): JwtPayload {
    return jwt.verify(token, this.secret);
  }
}
";
    let answer = place().answer("verify", Some(1), 8000);
    assert_eq!(answer.shown.snapshots[0].source, expected);
}

#[test]
fn two_methods_of_a_file_share_one_snapshot() {
    let answer = place().answer_about(&["verify", "issue"], Some(1), 8000);
    assert_eq!(answer.shown.snapshots.len(), 1);
    let source = &answer.shown.snapshots[0].source;
    for line in ["const EXPIRY", "private store", "import { Store }", "  verify(", "  issue("] {
        assert_eq!(source.matches(line).count(), 1, "{line}: {source}");
    }
    assert!(!source.contains("UNUSED") && !source.contains("constructor"), "{source}");
}

#[test]
fn other_languages_are_cut_down_in_the_same_way() {
    let python = "import os\nimport sys\n\nLIMIT = 3\n\n\nclass Purse:\n    \"\"\"Money.\"\"\"\n\n    COINS = 2\n\n    def pay(self):\n        return os.write(LIMIT, self.COINS)\n\n    def lose(self):\n        sys.exit()\n";
    let expected = "# purse.py\n\nimport os\n\nLIMIT = 3\n\nclass Purse:\n\n    COINS = 2\n\n    def pay(self):\n        return os.write(LIMIT, self.COINS)\n";
    let answer = Place::of(&[("purse.py", python)]).answer("pay", Some(1), 8000);
    assert_eq!(answer.shown.snapshots[0].source, expected);
    let rust = "use std::fmt;\nuse std::io;\n\nconst LIMIT: u32 = 3;\n\nstruct Purse {\n    sum: u32,\n}\n\nimpl Purse {\n    /// Pays.\n    #[inline]\n    fn pay(&self) -> io::Result<u32> {\n        Ok(self.sum + LIMIT)\n    }\n\n    fn lose(&self) -> fmt::Result {\n        Ok(())\n    }\n}\n";
    let expected = "// src/lib.rs\n\nuse std::io;\n\nconst LIMIT: u32 = 3;\n\nstruct Purse {\n    sum: u32,\n}\n\nimpl Purse {\n    /// Pays.\n    #[inline]\n    fn pay(&self) -> io::Result<u32> {\n        Ok(self.sum + LIMIT)\n    }\n}\n";
    let answer = Place::of(&[("src/lib.rs", rust)]).answer("pay", Some(1), 8000);
    assert_eq!(answer.shown.snapshots[0].source, expected);
}

#[test]
fn secrets_are_masked() {
    let text = "PASSWORD = \"hunter2hunter2\"\n\n\ndef login(password=\"hunter2hunter2\"):\n    return PASSWORD\n";
    let answer = Place::of(&[("login.py", text)]).answer("login", Some(1), 8000);
    assert!(
        answer.shown.text().contains("PASSWORD") && !answer.shown.text().contains("hunter2"),
        "{}",
        answer.shown.text()
    );
}

#[test]
fn a_snapshot_that_does_not_fit_is_left_out_and_named() {
    let answer = place().answer("verify", Some(1), 60);
    assert!(answer.shown.snapshots.is_empty() && answer.shown.left_out == ["service.ts"]);
    assert!(answer.shown.text().contains("TokenService.verify"));
}
