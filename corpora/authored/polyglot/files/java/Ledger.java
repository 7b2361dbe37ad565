package books;

import java.util.ArrayList;
import java.util.List;

/** Entries in order. */
public class Ledger {
    private final List<Entry> entries = new ArrayList<>();

    public interface Visitor {
        void visitEntry(Entry entry);
    }

    public static final class Entry {
        final String account;
        final long cents;

        Entry(String account, long cents) {
            this.account = account;
            this.cents = cents;
        }
    }

    public void record(String account, long cents) {
        entries.add(new Entry(account, cents));
    }

    public void acceptVisitor(Visitor visitor) {
        for (Entry entry : entries) {
            visitor.visitEntry(entry);
        }
    }
}
