// Gold symbols and imports of Go files, as go/parser sees them.
//
// `oracle --root DIR` reads file names relative to DIR from standard input, one a line, and prints
// one JSON object a line. A file that the parser rejects has `error` and no symbols.
//
// Symbols are the functions, methods, types, named struct fields, named interface methods,
// constants and variables that a file declares at its top. A name is exported if its first letter
// is an upper-case one. An import is local if it lies below the module path of the nearest go.mod
// above the file.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A Symbol is one declared name.
type Symbol struct {
	Name       string  `json:"name"`
	Kind       string  `json:"kind"`
	Line       int     `json:"line"`
	DeclLine   int     `json:"decl_line"`
	EndLine    int     `json:"end_line"`
	Parent     *string `json:"parent"`
	Visibility *string `json:"visibility"`
	Exported   bool    `json:"exported"`
}

// An Import is one imported package.
type Import struct {
	Path     string   `json:"path"`
	Names    []string `json:"names"`
	Category string   `json:"category"`
	Line     int      `json:"line"`
}

// A Gold is all that is known of one file.
type Gold struct {
	File        string   `json:"file"`
	Language    string   `json:"language"`
	Oracle      string   `json:"oracle"`
	ParseErrors int      `json:"parse_errors"`
	Error       *string  `json:"error"`
	Symbols     []Symbol `json:"symbols"`
	Imports     []Import `json:"imports"`
}

// A reader collects the symbols of one file.
type reader struct {
	set     *token.FileSet
	symbols []Symbol
}

// line is the line of the file itself, whatever its line directives say.
func (r *reader) line(position token.Pos) int { return r.set.PositionFor(position, false).Line }

func (r *reader) add(name *ast.Ident, kind string, start, end token.Pos, parent *string) {
	r.symbols = append(r.symbols, Symbol{
		Name: name.Name, Kind: kind, Line: r.line(name.Pos()), DeclLine: r.line(start),
		EndLine: r.line(end), Parent: parent, Exported: name.IsExported(),
	})
}

func (r *reader) declaration(declaration ast.Decl) {
	switch declaration := declaration.(type) {
	case *ast.FuncDecl:
		kind, parent := "function", (*string)(nil)
		if declaration.Recv != nil && len(declaration.Recv.List) > 0 {
			name := receiver(declaration.Recv.List[0].Type)
			kind, parent = "method", &name
		}
		r.add(declaration.Name, kind, declaration.Pos(), declaration.End(), parent)
	case *ast.GenDecl:
		for _, spec := range declaration.Specs {
			start := spec.Pos()
			if !declaration.Lparen.IsValid() {
				start = declaration.Pos()
			}
			r.spec(spec, declaration.Tok, start)
		}
	}
}

func (r *reader) spec(spec ast.Spec, keyword token.Token, start token.Pos) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		kind, member := "type", ""
		var members *ast.FieldList
		switch shape := spec.Type.(type) {
		case *ast.StructType:
			kind, member, members = "struct", "field", shape.Fields
		case *ast.InterfaceType:
			kind, member, members = "interface", "method", shape.Methods
		}
		r.add(spec.Name, kind, start, spec.End(), nil)
		if members == nil {
			return
		}
		for _, field := range members.List {
			for _, name := range field.Names {
				r.add(name, member, field.Pos(), field.End(), &spec.Name.Name)
			}
		}
	case *ast.ValueSpec:
		kind := "variable"
		if keyword == token.CONST {
			kind = "constant"
		}
		for _, name := range spec.Names {
			if name.Name != "_" {
				r.add(name, kind, start, spec.End(), nil)
			}
		}
	}
}

// receiver is the name of the type that a method belongs to.
func receiver(expression ast.Expr) string {
	for {
		switch shape := expression.(type) {
		case *ast.StarExpr:
			expression = shape.X
		case *ast.ParenExpr:
			expression = shape.X
		case *ast.IndexExpr:
			expression = shape.X
		case *ast.IndexListExpr:
			expression = shape.X
		case *ast.Ident:
			return shape.Name
		default:
			return "?"
		}
	}
}

// A project knows which packages are local.
type project struct {
	root     string
	standard map[string]bool
	modules  map[string]string
}

// module is the module path of the nearest go.mod above a folder, relative to the root; empty if
// there is none.
func (p *project) module(folder string) string {
	if known, ok := p.modules[folder]; ok {
		return known
	}
	path := ""
	if text, err := os.ReadFile(filepath.Join(p.root, folder, "go.mod")); err == nil {
		path = modulePath(string(text))
	}
	if path == "" && folder != "." {
		path = p.module(filepath.Dir(folder))
	}
	p.modules[folder] = path
	return path
}

func modulePath(text string) string {
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == "module" {
			if path, err := strconv.Unquote(words[1]); err == nil {
				return path
			}
			return words[1]
		}
	}
	return ""
}

func (p *project) category(path, file string) string {
	module := p.module(filepath.Dir(file))
	switch {
	case strings.HasPrefix(path, "."):
		return "local"
	case module != "" && (path == module || strings.HasPrefix(path, module+"/")):
		return "local"
	case p.standard[path]:
		return "stdlib"
	}
	return "third_party"
}

func (p *project) explore(file string) Gold {
	gold := Gold{
		File: file, Language: "go", Oracle: "go/parser " + runtime.Version(),
		Symbols: []Symbol{}, Imports: []Import{},
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, filepath.Join(p.root, file), nil, parser.ParseComments)
	if err != nil {
		text := err.Error()
		gold.ParseErrors, gold.Error = 1, &text
		return gold
	}
	reader := reader{set: set, symbols: gold.Symbols}
	for _, spec := range tree.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		gold.Imports = append(gold.Imports, Import{
			Path: path, Names: []string{}, Category: p.category(path, file),
			Line: reader.line(spec.Path.Pos()),
		})
	}
	for _, declaration := range tree.Decls {
		reader.declaration(declaration)
	}
	gold.Symbols = reader.symbols
	return gold
}

// standard asks the toolchain that built this program for its packages.
func standard() (map[string]bool, error) {
	out, err := exec.Command(filepath.Join(runtime.GOROOT(), "bin", "go"), "list", "std").Output()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{"C": true}
	for _, name := range bytes.Fields(out) {
		names[string(name)] = true
	}
	return names, nil
}

func run() error {
	if len(os.Args) != 3 || os.Args[1] != "--root" {
		return fmt.Errorf("usage: oracle --root DIR < names")
	}
	names, err := standard()
	if err != nil {
		return fmt.Errorf("the toolchain does not list its packages: %w", err)
	}
	project := project{root: os.Args[2], standard: names, modules: map[string]string{}}
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		if name := strings.TrimRight(lines.Text(), "\r"); name != "" {
			if err := encoder.Encode(project.explore(name)); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
