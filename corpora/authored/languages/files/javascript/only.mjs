export const answer = () => 42;
class Empty {}
