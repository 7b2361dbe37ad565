import com.intellij.openapi.util.Disposer;
import com.intellij.psi.PsiComment;
import com.intellij.psi.PsiElement;
import com.intellij.psi.PsiErrorElement;
import com.intellij.psi.PsiWhiteSpace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jetbrains.kotlin.cli.jvm.compiler.EnvironmentConfigFiles;
import org.jetbrains.kotlin.cli.jvm.compiler.KotlinCoreEnvironment;
import org.jetbrains.kotlin.config.CommonConfigurationKeys;
import org.jetbrains.kotlin.config.CompilerConfiguration;
import org.jetbrains.kotlin.lexer.KtTokens;
import org.jetbrains.kotlin.psi.KtClass;
import org.jetbrains.kotlin.psi.KtClassOrObject;
import org.jetbrains.kotlin.psi.KtDeclaration;
import org.jetbrains.kotlin.psi.KtEnumEntry;
import org.jetbrains.kotlin.psi.KtFile;
import org.jetbrains.kotlin.psi.KtImportDirective;
import org.jetbrains.kotlin.psi.KtNamedDeclaration;
import org.jetbrains.kotlin.psi.KtNamedFunction;
import org.jetbrains.kotlin.psi.KtObjectDeclaration;
import org.jetbrains.kotlin.psi.KtProperty;
import org.jetbrains.kotlin.psi.KtPsiFactory;
import org.jetbrains.kotlin.psi.KtScript;
import org.jetbrains.kotlin.psi.KtSecondaryConstructor;
import org.jetbrains.kotlin.psi.KtTreeVisitorVoid;
import org.jetbrains.kotlin.psi.KtTypeAlias;

/**
 * Gold labels for Kotlin: what the compiler's parser reads in the files that are named on standard
 * input.
 *
 * <p>{@code java -cp 'kotlin-compiler/lib/*' Oracle.java --root DIR} reads paths relative to DIR,
 * one a line, and prints one JSON object a line. A file with any parse error is reported so and is
 * no gold.
 */
public class Oracle {
    private static final String NAME = "kotlin-compiler PSI 1.9.24";

    private final KtPsiFactory factory;
    private final Set<String> jdk = new HashSet<>();

    private Oracle(KtPsiFactory factory) {
        this.factory = factory;
        ModuleFinder.ofSystem().findAll().forEach(of -> jdk.addAll(of.descriptor().packages()));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2 || !arguments[0].equals("--root")) {
            System.err.println("usage: java Oracle.java --root DIR < paths");
            System.exit(2);
        }
        System.setProperty("idea.ignore.disabled.plugins", "true");
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.put(CommonConfigurationKeys.MODULE_NAME, "oracle");
        KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
            Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        Oracle oracle = new Oracle(new KtPsiFactory(environment.getProject(), false));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String file = in.readLine(); file != null; file = in.readLine()) {
            if (!file.isEmpty()) {
                out.println(oracle.label(Path.of(arguments[1]), file));
            }
        }
        out.flush();
        // The environment keeps threads of its own alive.
        System.exit(0);
    }

    private String label(Path root, String file) {
        List<String> symbols = new ArrayList<>();
        List<String> imports = new ArrayList<>();
        int[] errors = {0};
        String error = null;
        try {
            String text = Files.readString(root.resolve(file), StandardCharsets.UTF_8);
            text = text.replace("\r\n", "\n").replace('\r', '\n');
            if (text.startsWith("\ufeff")) {
                text = text.substring(1);
            }
            KtFile parsed = factory.createFile(file.endsWith(".kts") ? "of.kts" : "of.kt", text);
            parsed.accept(new KtTreeVisitorVoid() {
                @Override
                public void visitErrorElement(PsiErrorElement element) {
                    errors[0]++;
                }
            });
            int[] lines = lines(text);
            imports(parsed, lines, imports);
            List<? extends KtDeclaration> top = parsed.getDeclarations();
            if (top.size() == 1 && top.get(0) instanceof KtScript script) {
                top = script.getDeclarations();
            }
            declarations(top, null, lines, symbols);
        } catch (Exception thrown) {
            error = thrown.toString();
        }
        if (error == null && errors[0] > 0) {
            error = errors[0] + " syntax errors";
        }
        if (error != null) {
            symbols.clear();
            imports.clear();
        }
        return "{\"file\":" + quoted(file) + ",\"language\":\"kotlin\",\"oracle\":" + quoted(NAME)
            + ",\"parse_errors\":" + errors[0] + ",\"error\":" + quoted(error)
            + ",\"symbols\":[" + String.join(",", symbols)
            + "],\"imports\":[" + String.join(",", imports) + "]}";
    }

    /** The 1-based line of each place in a text. */
    private static int[] lines(String text) {
        int[] lines = new int[text.length() + 1];
        int line = 1;
        for (int at = 0; at <= text.length(); at++) {
            lines[at] = line;
            if (at < text.length() && text.charAt(at) == '\n') {
                line++;
            }
        }
        return lines;
    }

    /**
     * Packages of Kotlin's library and of the JDK are the language's own; what shares the first
     * two parts of the file's package is local.
     */
    private void imports(KtFile parsed, int[] lines, List<String> out) {
        String own = parsed.getPackageFqName().isRoot() ? "" : parsed.getPackageFqName().asString();
        String[] parts = own.split("\\.");
        String local = (parts.length > 1 ? parts[0] + "." + parts[1] : own) + ".";
        for (KtImportDirective of : parsed.getImportDirectives()) {
            if (of.getImportPath() == null) {
                continue;
            }
            String path = of.getImportPath().getFqName().asString();
            String whole = of.getImportPath().isAllUnder() ? path + ".*" : path;
            String category = whole.startsWith(local) ? "local" : "third_party";
            if (whole.startsWith("kotlin.")) {
                category = "stdlib";
            }
            for (int dot = whole.lastIndexOf('.'); dot > 0; dot = whole.lastIndexOf('.', dot - 1)) {
                if (jdk.contains(whole.substring(0, dot))) {
                    category = "stdlib";
                }
            }
            out.add("{\"path\":" + quoted(whole) + ",\"names\":[],\"category\":"
                + quoted(category) + ",\"line\":" + lines[of.getTextRange().getStartOffset()] + "}");
        }
    }

    /** Declarations of a file and of the types in it; those in a function's body are local. */
    private static void declarations(
            List<? extends KtDeclaration> declarations, String parent, int[] lines,
            List<String> out) {
        for (KtDeclaration of : declarations) {
            String kind = kind(of, parent == null);
            if (kind == null) {
                continue;
            }
            String name = of.getName() == null ? "<anonymous>" : of.getName();
            String visibility = of.hasModifier(KtTokens.PRIVATE_KEYWORD) ? "private"
                : of.hasModifier(KtTokens.INTERNAL_KEYWORD) ? "internal"
                : of.hasModifier(KtTokens.PROTECTED_KEYWORD) ? "protected"
                : "public";
            int end = of.getTextRange().getEndOffset() - 1;
            out.add("{\"name\":" + quoted(name) + ",\"kind\":" + quoted(kind)
                + ",\"line\":" + lines[place(of)] + ",\"decl_line\":" + lines[start(of)]
                + ",\"end_line\":" + lines[Math.max(end, 0)] + ",\"parent\":" + quoted(parent)
                + ",\"visibility\":" + quoted(visibility)
                + ",\"exported\":" + visibility.equals("public") + "}");
            if (of instanceof KtClassOrObject type) {
                String inside = parent == null ? name : parent + "." + name;
                declarations(type.getDeclarations(), inside, lines, out);
            }
        }
    }

    private static String kind(KtDeclaration of, boolean top) {
        if (of instanceof KtEnumEntry) {
            return "enum_member";
        }
        if (of instanceof KtClass type) {
            return type.isInterface() ? "interface" : type.isEnum() ? "enum" : "class";
        }
        if (of instanceof KtObjectDeclaration) {
            return "object";
        }
        if (of instanceof KtNamedFunction) {
            return top ? "function" : "method";
        }
        if (of instanceof KtProperty) {
            return "property";
        }
        if (of instanceof KtTypeAlias) {
            return "alias";
        }
        return of instanceof KtSecondaryConstructor ? "constructor" : null;
    }

    /** Where the name stands, or the keyword that stands for it. */
    private static int place(KtDeclaration of) {
        PsiElement name = of instanceof KtNamedDeclaration named ? named.getNameIdentifier() : null;
        if (name == null && of instanceof KtObjectDeclaration object) {
            name = object.getObjectKeyword();
        }
        if (name == null && of instanceof KtSecondaryConstructor constructor) {
            name = constructor.getConstructorKeyword();
        }
        return name == null ? start(of) : name.getTextRange().getStartOffset();
    }

    /** Where the declaration begins, behind the comments that the parser binds to it. */
    private static int start(KtDeclaration of) {
        PsiElement first = of.getFirstChild();
        while (first instanceof PsiComment || first instanceof PsiWhiteSpace) {
            first = first.getNextSibling();
        }
        return (first == null ? of : first).getTextRange().getStartOffset();
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
