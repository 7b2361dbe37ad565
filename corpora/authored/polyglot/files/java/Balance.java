package books;

public class Balance implements Ledger.Visitor {
    private long sum;

    @Override
    public void visitEntry(Ledger.Entry entry) {
        sum += entry.cents;
    }

    public static long balanceOf(Ledger ledger) {
        Balance balance = new Balance();
        ledger.acceptVisitor(balance);
        return balance.sum;
    }
}
