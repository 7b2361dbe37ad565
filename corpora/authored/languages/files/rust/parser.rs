pub enum Token {
    Number(i64),
    Plus,
}

pub trait Source {
    fn next_token(&mut self) -> Option<Token>;
}

pub fn evaluate_sum(source: &mut impl Source) -> i64 {
    let mut sum = 0;
    while let Some(token) = source.next_token() {
        if let Token::Number(number) = token {
            sum += number;
        }
    }
    sum
}

#[macro_export]
macro_rules! tokens {
    ($($token:expr),*) => { vec![$($token),*] };
}
