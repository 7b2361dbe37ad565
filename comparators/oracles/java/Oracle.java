import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Gold labels for Java: what javac's parser reads in the files that are named on standard input.
 *
 * <p>{@code java Oracle.java --root DIR} reads paths relative to DIR, one a line, and prints one
 * JSON object a line. {@code --packages} prints the packages of the running JDK instead. A file
 * with any parse error is reported so and is no gold.
 */
public class Oracle {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final String NAME = "javac " + Runtime.version().feature();

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Set<String> jdk = packages();
        if (arguments.length == 1 && arguments[0].equals("--packages")) {
            jdk.forEach(out::println);
        } else if (arguments.length == 2 && arguments[0].equals("--root")) {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String file = in.readLine(); file != null; file = in.readLine()) {
                if (!file.isEmpty()) {
                    out.println(label(Path.of(arguments[1]), file, jdk));
                }
            }
        } else {
            System.err.println("usage: java Oracle.java --root DIR < paths");
            System.exit(2);
        }
        out.flush();
    }

    /** Packages of all modules of this JDK. */
    private static Set<String> packages() {
        Set<String> all = new TreeSet<>();
        ModuleFinder.ofSystem().findAll().forEach(of -> all.addAll(of.descriptor().packages()));
        return all;
    }

    private static String label(Path root, String file, Set<String> jdk) {
        List<String> symbols = new ArrayList<>();
        List<String> imports = new ArrayList<>();
        long errors = 0;
        String error = null;
        try {
            String text = Files.readString(root.resolve(file), StandardCharsets.UTF_8);
            if (text.startsWith("\ufeff")) {
                text = text.substring(1);
            }
            List<Diagnostic<? extends JavaFileObject>> found = new ArrayList<>();
            JavacTask task = (JavacTask) COMPILER.getTask(
                Writer.nullWriter(), null, found::add, List.of("-proc:none"), null,
                List.of(new Source(text)));
            for (CompilationUnitTree unit : task.parse()) {
                imports(unit, jdk, Trees.instance(task).getSourcePositions(), imports);
                new Scanner(unit, Trees.instance(task).getSourcePositions(), text, symbols)
                    .scan(unit, Place.TOP);
            }
            for (var diagnostic : found) {
                if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                    errors++;
                    if (error == null) {
                        error = "line " + diagnostic.getLineNumber() + ": " + diagnostic.getCode();
                    }
                }
            }
        } catch (Exception thrown) {
            error = thrown.toString();
        }
        if (error != null) {
            symbols.clear();
            imports.clear();
        }
        return "{\"file\":" + quoted(file) + ",\"language\":\"java\",\"oracle\":" + quoted(NAME)
            + ",\"parse_errors\":" + errors + ",\"error\":" + quoted(error)
            + ",\"symbols\":[" + String.join(",", symbols)
            + "],\"imports\":[" + String.join(",", imports) + "]}";
    }

    /** One import per declaration; what shares the first two parts of the file's package is local. */
    private static void imports(
            CompilationUnitTree unit, Set<String> jdk, SourcePositions places, List<String> out) {
        String own = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
        String[] parts = own.split("\\.");
        String local = (parts.length > 1 ? parts[0] + "." + parts[1] : own) + ".";
        for (ImportTree of : unit.getImports()) {
            String path = of.getQualifiedIdentifier().toString();
            String category = "third_party";
            if (path.startsWith(local)) {
                category = "local";
            }
            for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
                if (jdk.contains(path.substring(0, dot))) {
                    category = "stdlib";
                }
            }
            long line = unit.getLineMap().getLineNumber(places.getStartPosition(unit, of));
            out.add("{\"path\":" + quoted(path) + ",\"names\":[],\"category\":" + quoted(category)
                + ",\"line\":" + line + "}");
        }
    }

    /** A text in memory, so that encoding and byte order mark are decided here. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Source.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }
    }

    /**
     * Where a tree stands.
     *
     * @param owner qualified name of the enclosing class or method; an anonymous class has the
     *     empty name, a constructor the name that the compiler gives it
     * @param inInterface whether members are public unless they say otherwise
     * @param inBody whether variables are local ones
     */
    private record Place(String owner, boolean inInterface, boolean inBody) {
        static final Place TOP = new Place(null, false, false);

        Place inside(String name, boolean isInterface, boolean isBody) {
            return new Place(owner == null ? name : owner + "." + name, isInterface, isBody);
        }

        Place body() {
            return new Place(owner, false, true);
        }
    }

    /** Types, methods and fields at any depth, those of local and anonymous classes included. */
    private static final class Scanner extends TreeScanner<Void, Place> {
        private final CompilationUnitTree unit;
        private final SourcePositions places;
        private final LineMap lines;
        private final String text;
        private final List<String> out;

        Scanner(CompilationUnitTree unit, SourcePositions places, String text, List<String> out) {
            this.unit = unit;
            this.places = places;
            this.lines = unit.getLineMap();
            this.text = text;
            this.out = out;
        }

        @Override
        public Void visitClass(ClassTree tree, Place place) {
            String kind = switch (tree.getKind()) {
                case INTERFACE -> "interface";
                case ENUM -> "enum";
                case ANNOTATION_TYPE -> "annotation";
                case RECORD -> "record";
                default -> "class";
            };
            String name = tree.getSimpleName().toString();
            if (!name.isEmpty()) {
                add(name, kind, tree, tree.getModifiers(), place);
            }
            boolean isInterface = kind.equals("interface") || kind.equals("annotation");
            return super.visitClass(tree, place.inside(name, isInterface, false));
        }

        @Override
        public Void visitMethod(MethodTree tree, Place place) {
            String name = tree.getName().toString();
            if (name.equals("<init>")) {
                String type = place.owner.substring(place.owner.lastIndexOf('.') + 1);
                add(type, "constructor", tree, tree.getModifiers(), place);
            } else {
                add(name, "method", tree, tree.getModifiers(), place);
            }
            return scan(tree.getBody(), place.inside(name, false, true));
        }

        @Override
        public Void visitVariable(VariableTree tree, Place place) {
            if (!place.inBody && place.owner != null) {
                add(tree.getName().toString(), "field", tree, tree.getModifiers(), place);
            }
            return super.visitVariable(tree, place.body());
        }

        @Override
        public Void visitBlock(BlockTree tree, Place place) {
            return super.visitBlock(tree, place.body());
        }

        @Override
        public Void visitAnnotation(AnnotationTree tree, Place place) {
            return null;
        }

        private void add(String name, String kind, Tree tree, ModifiersTree modifiers, Place place) {
            Set<Modifier> flags = modifiers.getFlags();
            String visibility = flags.contains(Modifier.PUBLIC) ? "public"
                : flags.contains(Modifier.PROTECTED) ? "protected"
                : flags.contains(Modifier.PRIVATE) ? "private"
                : place.inInterface ? "public" : "package";
            long start = places.getStartPosition(unit, tree);
            out.add("{\"name\":" + quoted(name) + ",\"kind\":" + quoted(kind)
                + ",\"line\":" + lines.getLineNumber(nameOf(name, tree, modifiers))
                + ",\"decl_line\":" + lines.getLineNumber(start)
                + ",\"end_line\":" + lines.getLineNumber(places.getEndPosition(unit, tree) - 1)
                + ",\"parent\":" + quoted(place.owner) + ",\"visibility\":" + quoted(visibility)
                + ",\"exported\":" + visibility.equals("public") + "}");
        }

        /**
         * Where the name stands: at the compiler's position of the tree or, where that is a
         * keyword or an annotation, the first such word behind it.
         */
        private long nameOf(String name, Tree tree, ModifiersTree modifiers) {
            int from = ((JCTree) tree).pos;
            from = Math.max(from, (int) places.getEndPosition(unit, modifiers));
            from = Math.max(from, 0);
            Matcher word = Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(text);
            return word.find(from) ? word.start() : from;
        }
    }

    private static String quoted(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder out = new StringBuilder("\"");
        for (char of : text.toCharArray()) {
            if (of == '"' || of == '\\') {
                out.append('\\').append(of);
            } else if (of < ' ') {
                out.append(String.format("\\u%04x", (int) of));
            } else {
                out.append(of);
            }
        }
        return out.append('"').toString();
    }
}
