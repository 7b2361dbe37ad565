mod parser;

use parser::{Source, Token, evaluate_sum};

struct Fixed(Vec<Token>);

impl Source for Fixed {
    fn next_token(&mut self) -> Option<Token> {
        self.0.pop()
    }
}

fn main() {
    let mut source = Fixed(tokens![Token::Number(1), Token::Plus]);
    println!("{}", evaluate_sum(&mut source));
}
