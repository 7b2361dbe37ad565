import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import java.io.PrintStream;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Gold of Java: what javac attributes names to.
 *
 * <p>{@code JavaOracle list ROOT < {"files": [paths]}} prints names and definitions, {@code JavaOracle
 * ROOT < request} what the names at some places mean. Request and answer are those of
 * python_oracle.py. Nothing but the files and the JDK is there: what is made of other packages has no
 * gold, and an import of one comes from outside.
 */
public class JavaOracle {
    /** What a name means: the kind of place that it is, and where it is declared; null is outside. */
    private record Meaning(String stratum, Set<List<Integer>> targets) {}

    private final JavacTask task;
    private final Trees trees;
    private final SourcePositions positions;
    private final Map<CompilationUnitTree, Source> sources = new HashMap<>();
    private final List<CompilationUnitTree> units = new ArrayList<>();
    /** Packages with files, and these with the ones above them. */
    private final Set<String> filled = new HashSet<>();
    private final Set<String> packages = new HashSet<>();
    private final Map<Element, List<Integer>> declared = new HashMap<>();
    private final Map<List<Integer>, String> names = new TreeMap<>(JavaOracle::compare);
    private final Map<List<Integer>, String> definitions = new TreeMap<>(JavaOracle::compare);
    private final Map<List<Integer>, Meaning> meanings = new HashMap<>();

    public static void main(String[] words) throws Exception {
        boolean isList = words[0].equals("list");
        Path root = Path.of(words[isList ? 1 : 0]).toRealPath();
        String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        Map<?, ?> request = (Map<?, ?>) new Json(text).value();
        List<String> files = new ArrayList<>();
        ((List<?>) request.get("files")).forEach(file -> files.add((String) file));
        JavaOracle oracle = new JavaOracle(root, files);
        StringBuilder out = new StringBuilder();
        if (isList) {
            out.append("{\"names\": ");
            append(out, oracle.names);
            out.append(", \"definitions\": ");
            append(out, oracle.definitions);
        } else {
            out.append("{\"answers\": [");
            String between = "";
            for (Object place : (List<?>) request.get("places")) {
                out.append(between);
                between = ", ";
                Meaning meaning = oracle.meanings.get(place);
                if (meaning == null) {
                    out.append("null");
                } else {
                    out.append("{\"targets\": ").append(meaning.targets);
                    out.append(", \"stratum\": \"").append(meaning.stratum).append("\"}");
                }
            }
            out.append("]");
        }
        PrintStream stream = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        stream.print(out.append("}"));
        stream.flush();
    }

    private static void append(StringBuilder out, Map<List<Integer>, String> rows) {
        String between = "[";
        for (var row : rows.entrySet()) {
            List<Integer> place = row.getKey();
            out.append(between).append('[').append(place.get(0)).append(", ").append(place.get(1));
            out.append(", ").append(place.get(2)).append(", \"").append(row.getValue()).append("\"]");
            between = ",\n";
        }
        out.append(rows.isEmpty() ? "[]" : "]");
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        for (int at = 0; at < 3; at++) {
            int found = Integer.compare(one.get(at), other.get(at));
            if (found != 0) {
                return found;
            }
        }
        return 0;
    }

    private JavaOracle(Path root, List<String> files) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Source> compiled = new ArrayList<>();
        for (int number = 0; number < files.size(); number++) {
            // What a module shows to others is nothing that is asked about.
            if (!files.get(number).endsWith("module-info.java")) {
                compiled.add(new Source(root.resolve(files.get(number)), number));
            }
        }
        Map<URI, Source> known = new HashMap<>();
        compiled.forEach(source -> known.put(source.toUri(), source));
        Path empty = Files.createTempDirectory("oracle");
        List<String> options = List.of(
            "-proc:none", "-implicit:none", "-Xmaxerrs", "1", "-nowarn", "-cp", empty.toString(),
            "-sourcepath", empty.toString(), "--should-stop=ifError=FLOW", "-d", empty.toString());
        task = (JavacTask) compiler.getTask(
            Writer.nullWriter(), null, found -> {}, options, null, compiled);
        trees = Trees.instance(task);
        positions = trees.getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            units.add(unit);
            sources.put(unit, known.get(unit.getSourceFile().toUri()));
            String name = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
            filled.add(name);
            for (int dot = name.length(); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
                packages.add(name.substring(0, dot));
            }
        }
        task.analyze();
        Files.delete(empty);
        for (CompilationUnitTree unit : units) {
            new Declarations(unit).scan(unit, null);
        }
        for (CompilationUnitTree unit : units) {
            new Uses(unit).scan(unit, null);
        }
    }

    /** A file, so that encoding and byte order mark are decided here. */
    private static final class Source extends SimpleJavaFileObject {
        private final int number;
        private final String text;
        private final int shift;
        private final List<Integer> starts = new ArrayList<>(List.of(0));

        Source(Path path, int number) throws Exception {
            super(path.toUri(), Kind.SOURCE);
            this.number = number;
            String read = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
            shift = read.startsWith("\ufeff") ? 1 : 0;
            text = read.substring(shift);
            for (int at = 0; at < text.length(); at++) {
                if (text.charAt(at) == '\n') {
                    starts.add(at + 1);
                }
            }
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }

        /** File, line and column of an offset. */
        List<Integer> place(int offset) {
            int at = Collections.binarySearch(starts, offset);
            int line = at < 0 ? -at - 1 : at + 1;
            int start = starts.get(line - 1);
            int column = text.codePointCount(start, offset) + 1 + (line == 1 ? shift : 0);
            return List.of(number, line, column);
        }

        /** Whether this name, and not a part of a longer one, stands there. */
        boolean isAt(String name, int offset) {
            return offset >= 0 && !name.isEmpty() && text.startsWith(name, offset)
                && (offset + name.length() == text.length()
                    || !Character.isJavaIdentifierPart(text.charAt(offset + name.length())))
                && (offset == 0 || !Character.isJavaIdentifierPart(text.charAt(offset - 1)));
        }

        /** The first place of a name from an offset on, outside of comments; -1 if there is none. */
        int find(String name, int from) {
            for (int at = Math.max(from, 0); at < text.length(); at++) {
                if (text.startsWith("//", at)) {
                    at = text.indexOf('\n', at);
                } else if (text.startsWith("/*", at)) {
                    at = text.indexOf("*/", at + 2) + 1;
                } else if (isAt(name, at)) {
                    return at;
                }
                if (at < 0) {
                    return -1;
                }
            }
            return -1;
        }
    }

    /** Where the names of declarations stand. */
    private final class Declarations extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Source source;

        Declarations(CompilationUnitTree unit) {
            this.unit = unit;
            this.source = sources.get(unit);
        }

        private void declare(String name, int offset, boolean isDefinition) {
            if (!source.isAt(name, offset)) {
                return;
            }
            List<Integer> place = source.place(offset);
            names.put(place, name);
            if (isDefinition) {
                definitions.put(place, name);
            }
            Element element = trees.getElement(getCurrentPath());
            if (element != null) {
                declared.putIfAbsent(element, place);
                meanings.put(place, new Meaning("local", Set.of(place)));
            }
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            String name = tree.getSimpleName().toString();
            long from = positions.getEndPosition(unit, tree.getModifiers());
            from = Math.max(from, ((JCTree) tree).pos);
            if (!name.isEmpty()) {
                declare(name, source.find(name, (int) from), true);
            }
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            String name = tree.getName().toString();
            if (name.equals("<init>")) {
                ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
                name = owner.getSimpleName().toString();
            }
            declare(name, ((JCTree) tree).pos, true);
            return super.visitMethod(tree, nothing);
        }

        @Override
        public Void visitVariable(VariableTree tree, Void nothing) {
            declare(tree.getName().toString(), ((JCTree) tree).pos, false);
            return super.visitVariable(tree, nothing);
        }

        @Override
        public Void visitTypeParameter(TypeParameterTree tree, Void nothing) {
            declare(tree.getName().toString(), ((JCTree) tree).pos, false);
            return super.visitTypeParameter(tree, nothing);
        }
    }

    /** What names mean. */
    private final class Uses extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Source source;
        private boolean isImport;

        Uses(CompilationUnitTree unit) {
            this.unit = unit;
            this.source = sources.get(unit);
        }

        /** Notes a name, and what it means if that is not known yet. */
        private void use(String name, int offset, String stratum, Element... elements) {
            if (!source.isAt(name, offset)) {
                return;
            }
            List<Integer> place = source.place(offset);
            names.put(place, name);
            Set<List<Integer>> targets = new LinkedHashSet<>();
            boolean isOutside = false;
            for (Element element : elements) {
                List<Integer> target = element == null ? null : declared.get(element);
                if (target != null) {
                    targets.add(target);
                } else {
                    isOutside |= element != null && isOfJdk(element);
                }
            }
            if (!targets.isEmpty()) {
                String own = stratum != null ? stratum : stratum(elements[0], targets.iterator().next());
                meanings.putIfAbsent(place, new Meaning(own, targets));
            } else if (isOutside) {
                meanings.putIfAbsent(place, new Meaning("external", targets));
            }
        }

        private String stratum(Element element, List<Integer> target) {
            return switch (element.getKind()) {
                case TYPE_PARAMETER -> "local";
                case METHOD, CONSTRUCTOR, CLASS, INTERFACE, ENUM, RECORD, ANNOTATION_TYPE ->
                    "function_class";
                default -> target.get(0) == source.number ? "local" : "import";
            };
        }

        private boolean isOfJdk(Element element) {
            if (element instanceof PackageElement) {
                String name = element.toString();
                return name.equals("java") || name.equals("javax") || !packages.contains(name) && isKnown(element);
            }
            if (element.getSimpleName().contentEquals("length") && element.getEnclosingElement().toString().equals("Array")) {
                return true;
            }
            for (Element at = element; at != null; at = at.getEnclosingElement()) {
                if (at instanceof TypeElement type && type.asType().getKind() == TypeKind.ERROR) {
                    return false;
                }
                if (at instanceof PackageElement) {
                    return !packages.contains(at.toString()) && isKnown(at) && !at.toString().isEmpty();
                }
            }
            return false;
        }

        private boolean isKnown(Element element) {
            return !element.getEnclosedElements().isEmpty();
        }

        private Element here() {
            return trees.getElement(getCurrentPath());
        }

        @Override
        public Void visitPackage(PackageTree tree, Void nothing) {
            return scan(tree.getAnnotations(), nothing);
        }

        @Override
        public Void visitImport(ImportTree tree, Void nothing) {
            List<MemberSelectTree> selects = new ArrayList<>();
            ExpressionTree at = (ExpressionTree) tree.getQualifiedIdentifier();
            while (at instanceof MemberSelectTree select) {
                selects.add(0, select);
                at = select.getExpression();
            }
            String before = at.toString();
            imported(before, before, (int) positions.getStartPosition(unit, at), null);
            for (MemberSelectTree select : selects) {
                String name = select.getIdentifier().toString();
                String path = before + "." + name;
                imported(path, name, nameOf(select, name), before);
                before = path;
            }
            return null;
        }

        /** A part of an import: a class or its member, or a package, which is nowhere declared. */
        private void imported(String path, String name, int offset, String before) {
            if (name.equals("*") || !source.isAt(name, offset)) {
                return;
            }
            TypeElement type = task.getElements().getTypeElement(path);
            TypeElement owner = before == null ? null : task.getElements().getTypeElement(before);
            if (type != null) {
                use(name, offset, "import", type);
            } else if (owner != null) {
                use(name, offset, "import", task.getElements().getAllMembers(owner).stream()
                    .filter(one -> one.getSimpleName().contentEquals(name))
                    .filter(one -> one.getModifiers().contains(Modifier.STATIC))
                    .toArray(Element[]::new));
            } else {
                List<Integer> place = source.place(offset);
                names.put(place, name);
                // A class that a package of the root lacks is made by a build, or is not known.
                if (!packages.contains(path) && !isMissing(path)) {
                    meanings.putIfAbsent(place, new Meaning("external", Set.of()));
                }
            }
        }

        private boolean isMissing(String path) {
            int dot = path.lastIndexOf('.');
            return dot > 0 && (filled.contains(path.substring(0, dot)) || isMissing(path.substring(0, dot)));
        }

        private int nameOf(Tree tree, String name) {
            return (int) positions.getEndPosition(unit, tree) - name.length();
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            String name = tree.getName().toString();
            if (!name.equals("this") && !name.equals("super")) {
                use(name, (int) positions.getStartPosition(unit, tree), isArgument(tree) ? "member" : null, meant());
            }
            return null;
        }

        /** Whether this is the name of an argument of an annotation. */
        private boolean isArgument(Tree tree) {
            TreePath parent = getCurrentPath().getParentPath();
            return parent.getLeaf() instanceof AssignmentTree assignment && assignment.getVariable() == tree
                && parent.getParentPath().getLeaf() instanceof AnnotationTree;
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            String name = tree.getIdentifier().toString();
            if (!name.equals("this") && !name.equals("super") && !name.equals("class")) {
                use(name, nameOf(tree, name), "member", meant());
            }
            return super.visitMemberSelect(tree, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            String name = tree.getName().toString();
            if (!name.equals("<init>")) {
                use(name, nameOf(tree, name), "member", here());
            }
            return super.visitMemberReference(tree, nothing);
        }

        /** What the name here means; a class that is made, its constructor too. */
        private Element[] meant() {
            Element own = here();
            TreePath path = getCurrentPath();
            Tree below = path.getLeaf();
            TreePath above = path.getParentPath();
            while (above.getLeaf() instanceof ParameterizedTypeTree type && type.getType() == below
                    || above.getLeaf() instanceof AnnotatedTypeTree) {
                below = above.getLeaf();
                above = above.getParentPath();
            }
            Element maker = null;
            if (above.getLeaf() instanceof NewClassTree made && made.getIdentifier() == below) {
                maker = made.getClassBody() == null
                    ? trees.getElement(above) : superOf(new TreePath(above, made.getClassBody()));
            } else if (above.getLeaf() instanceof MemberReferenceTree reference
                    && reference.getQualifierExpression() == below
                    && reference.getName().contentEquals("<init>")) {
                maker = trees.getElement(above);
            }
            // An error is a class too.
            boolean isClass = own instanceof TypeElement && own.asType().getKind() != TypeKind.ERROR;
            return isClass && maker != null && maker.getKind() == ElementKind.CONSTRUCTOR
                ? new Element[] {own, maker} : new Element[] {own};
        }

        /** The constructor that the one of a class without a name calls. */
        private Element superOf(TreePath path) {
            for (Tree member : ((ClassTree) path.getLeaf()).getMembers()) {
                if (member instanceof MethodTree method && method.getName().contentEquals("<init>")
                        && method.getBody() != null && !method.getBody().getStatements().isEmpty()
                        && method.getBody().getStatements().get(0) instanceof ExpressionStatementTree first
                        && first.getExpression() instanceof MethodInvocationTree call) {
                    return trees.getElement(TreePath.getPath(path, call.getMethodSelect()));
                }
            }
            return null;
        }
    }

    /** Reads the JSON of a request: objects, lists, strings and whole numbers. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == ',' || text.charAt(at) == ':') {
                at++;
            }
            return text.charAt(at);
        }

        Object value() {
            char first = next();
            if (first == '{') {
                Map<String, Object> found = new HashMap<>();
                for (at++; next() != '}';) {
                    String key = string();
                    found.put(key, value());
                }
                at++;
                return found;
            }
            if (first == '[') {
                List<Object> found = new ArrayList<>();
                for (at++; next() != ']';) {
                    found.add(value());
                }
                at++;
                return found;
            }
            if (first == '"') {
                return string();
            }
            int start = at;
            while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '-')) {
                at++;
            }
            return Integer.valueOf(text.substring(start, at));
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char one = text.charAt(at);
                if (one == '\\') {
                    one = text.charAt(++at);
                    if (one == 'u') {
                        one = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else {
                        one = one == 'n' ? '\n' : one == 't' ? '\t' : one == 'r' ? '\r' : one;
                    }
                }
                out.append(one);
            }
            at++;
            return out.toString();
        }
    }
}
