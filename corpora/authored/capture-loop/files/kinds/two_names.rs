struct Holder;

impl Holder {
    fn first_method(&self) -> u8 {
        free_function(1)
    }

    fn last_method(&self) -> u8 {
        self.first_method()
    }
}

fn free_function(value: u8) -> u8 {
    value
}
