using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using ICSharpCode.NRefactory.CSharp;

/// Gold labels for C#: what NRefactory reads in the files that are named on standard input.
///
/// `Oracle.exe --root DIR` reads paths relative to DIR, one a line, and prints one JSON object a
/// line. A file with any parse error is reported so and is no gold: the front end ends at C# 5.
static class Oracle
{
    const string Name = "NRefactory 5.3 (the mcs front end)";

    static int Main(string[] arguments)
    {
        if (arguments.Length != 2 || arguments[0] != "--root") {
            Console.Error.WriteLine("usage: Oracle.exe --root DIR < paths");
            return 2;
        }
        string root = arguments[1];
        var projects = Projects(root);
        var encoding = new UTF8Encoding(false);
        var output = new StreamWriter(Console.OpenStandardOutput(), encoding);
        var input = new StreamReader(Console.OpenStandardInput(), encoding);
        for (string file = input.ReadLine(); file != null; file = input.ReadLine()) {
            if (file.Length > 0) {
                output.WriteLine(Label(root, file, projects));
            }
        }
        output.Flush();
        return 0;
    }

    /// Namespaces of the projects below the root: names of project files, and what they say of
    /// their root namespace and assembly.
    static HashSet<string> Projects(string root)
    {
        var names = new HashSet<string>();
        foreach (string project in Directory.GetFiles(root, "*.csproj", SearchOption.AllDirectories)) {
            names.Add(Path.GetFileNameWithoutExtension(project));
            string text = File.ReadAllText(project);
            foreach (Match match in Regex.Matches(
                text, "<(RootNamespace|AssemblyName)>\\s*([A-Za-z0-9_.]+)\\s*</")) {
                names.Add(match.Groups[2].Value);
            }
        }
        return names;
    }

    static string Label(string root, string file, HashSet<string> projects)
    {
        var visitor = new Declarations();
        int errors = 0;
        string error = null;
        try {
            var parser = new CSharpParser();
            SyntaxTree tree = parser.Parse(File.ReadAllText(Path.Combine(root, file)), file);
            errors = parser.Errors.Count();
            if (errors > 0) {
                var first = parser.Errors.First();
                error = "line " + first.Region.BeginLine + ": " + first.Message;
            } else {
                tree.AcceptVisitor(visitor);
            }
        } catch (Exception thrown) {
            error = thrown.Message;
        }
        if (error != null) {
            visitor = new Declarations();
        }
        var local = new HashSet<string>(projects);
        local.UnionWith(visitor.Namespaces.Select(of => of.Split('.')[0]));
        return "{\"file\":" + Quoted(file) + ",\"language\":\"csharp\",\"oracle\":" + Quoted(Name)
            + ",\"parse_errors\":" + errors + ",\"error\":" + Quoted(error)
            + ",\"symbols\":[" + string.Join(",", visitor.Symbols)
            + "],\"imports\":[" + string.Join(",", visitor.Imports.Select(of => of(local))) + "]}";
    }

    public static string Category(string path, HashSet<string> local)
    {
        string root = path.Split('.')[0];
        if (root == "System" || path.StartsWith("Microsoft.")) {
            return "stdlib";
        }
        bool own = local.Any(of => path == of || path.StartsWith(of + "."));
        return own ? "local" : "third_party";
    }

    public static string Quoted(string text)
    {
        if (text == null) {
            return "null";
        }
        var quoted = new StringBuilder("\"");
        foreach (char sign in text) {
            if (sign == '"' || sign == '\\') {
                quoted.Append('\\').Append(sign);
            } else if (sign < ' ') {
                quoted.AppendFormat("\\u{0:x4}", (int)sign);
            } else {
                quoted.Append(sign);
            }
        }
        return quoted.Append('"').ToString();
    }
}

/// Types and their members; what stands in a body is local to it.
class Declarations : DepthFirstAstVisitor
{
    public readonly List<string> Symbols = new List<string>();
    public readonly List<Func<HashSet<string>, string>> Imports =
        new List<Func<HashSet<string>, string>>();
    public readonly HashSet<string> Namespaces = new HashSet<string>();

    readonly Stack<string> owners = new Stack<string>();
    readonly Stack<bool> interfaces = new Stack<bool>();

    string Owner { get { return owners.Count == 0 ? null : owners.Peek(); } }

    void Add(string name, string kind, EntityDeclaration of, int line)
    {
        Modifiers modifiers = of.Modifiers;
        bool open = kind == "enum_member" || (interfaces.Count > 0 && interfaces.Peek());
        string visibility =
            (modifiers & Modifiers.Public) != 0 ? "public"
            : (modifiers & Modifiers.Protected) != 0 ? "protected"
            : (modifiers & Modifiers.Internal) != 0 ? "internal"
            : (modifiers & Modifiers.Private) != 0 ? "private"
            : open ? "public"
            : of.Parent is TypeDeclaration ? "private" : "internal";
        Symbols.Add("{\"name\":" + Oracle.Quoted(name) + ",\"kind\":" + Oracle.Quoted(kind)
            + ",\"line\":" + line + ",\"decl_line\":" + Start(of)
            + ",\"end_line\":" + of.EndLocation.Line + ",\"parent\":" + Oracle.Quoted(Owner)
            + ",\"visibility\":" + Oracle.Quoted(visibility)
            + ",\"exported\":" + (visibility == "public" ? "true" : "false") + "}");
    }

    /// The first line behind the comments that the parser binds to a declaration.
    static int Start(EntityDeclaration of)
    {
        AstNode first = of.FirstChild;
        while (first is Comment || first is WhitespaceNode || first is NewLineNode
            || first is PreProcessorDirective) {
            first = first.NextSibling;
        }
        return (first ?? of).StartLocation.Line;
    }

    void Add(string name, string kind, EntityDeclaration of)
    {
        AstNode token = of.NameToken;
        Add(name, kind, of, token.IsNull ? of.StartLocation.Line : token.StartLocation.Line);
    }

    void Import(string path, AstNode of)
    {
        int line = of.StartLocation.Line;
        Imports.Add(local => "{\"path\":" + Oracle.Quoted(path) + ",\"names\":[],\"category\":\""
            + Oracle.Category(path, local) + "\",\"line\":" + line + "}");
    }

    public override void VisitUsingDeclaration(UsingDeclaration of)
    {
        Import(of.Namespace, of);
    }

    public override void VisitUsingAliasDeclaration(UsingAliasDeclaration of)
    {
        Import(of.Import.ToString(), of);
    }

    public override void VisitNamespaceDeclaration(NamespaceDeclaration of)
    {
        Namespaces.Add(of.FullName);
        owners.Push(of.FullName);
        base.VisitNamespaceDeclaration(of);
        owners.Pop();
    }

    public override void VisitTypeDeclaration(TypeDeclaration of)
    {
        Add(of.Name, of.ClassType.ToString().ToLowerInvariant(), of);
        owners.Push((Owner == null ? "" : Owner + ".") + of.Name);
        interfaces.Push(of.ClassType == ClassType.Interface);
        base.VisitTypeDeclaration(of);
        owners.Pop();
        interfaces.Pop();
    }

    public override void VisitMethodDeclaration(MethodDeclaration of) { Add(of.Name, "method", of); }

    public override void VisitConstructorDeclaration(ConstructorDeclaration of)
    {
        Add(of.Name, "constructor", of);
    }

    public override void VisitPropertyDeclaration(PropertyDeclaration of)
    {
        Add(of.Name, "property", of);
    }

    public override void VisitDelegateDeclaration(DelegateDeclaration of)
    {
        Add(of.Name, "delegate", of);
    }

    public override void VisitEnumMemberDeclaration(EnumMemberDeclaration of)
    {
        Add(of.Name, "enum_member", of);
    }

    public override void VisitFieldDeclaration(FieldDeclaration of)
    {
        foreach (VariableInitializer variable in of.Variables) {
            Add(variable.Name, "field", of, variable.NameToken.StartLocation.Line);
        }
    }

    public override void VisitEventDeclaration(EventDeclaration of)
    {
        foreach (VariableInitializer variable in of.Variables) {
            Add(variable.Name, "event", of, variable.NameToken.StartLocation.Line);
        }
    }
}
