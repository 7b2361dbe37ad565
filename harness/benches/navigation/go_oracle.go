// Gold of Go: the type checker of Go's own standard library.
//
//	go_oracle list ROOT < {"files": [paths]}    names and definitions
//	go_oracle ROOT < request                    what the names at some places mean
//
// Request and answer are those of python_oracle.py. Packages of other modules are not there: what is
// theirs comes from outside, and what is made by them has no type and no gold.
package main

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

type place [3]int

type request struct {
	Files  []string `json:"files"`
	Places []place  `json:"places"`
}

type named struct {
	place place
	name  string
}

func (one named) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{one.place[0], one.place[1], one.place[2], one.name})
}

type answer struct {
	Targets []place `json:"targets"`
	Stratum string  `json:"stratum"`
}

// world is everything that is known of the files of a root.
type world struct {
	root     string
	set      *token.FileSet
	numbers  map[string]int
	texts    map[string][]byte
	files    map[string]*ast.File
	folders  map[string][]string // files by folder, relative to the root
	modules  map[string]string   // folder of a module by its path
	packages map[string]*types.Package
	info     *types.Info
	std      types.Importer
	fake     map[*types.Package]bool
	inside   map[*types.Package]string // folder of a package of the root
}

func (w *world) place(at token.Pos) place {
	// A file may say that its lines come from elsewhere: not here.
	found := w.set.PositionFor(at, false)
	number, isKnown := w.numbers[found.Filename]
	if !isKnown {
		return place{-1, 0, 0}
	}
	text := w.texts[found.Filename]
	start := found.Offset - (found.Column - 1)
	return place{number, found.Line, utf8.RuneCount(text[start:found.Offset]) + 1}
}

// Import finds a package of the root or of the standard library; any other is empty.
func (w *world) Import(name string) (*types.Package, error) {
	for module, folder := range w.modules {
		if name == module || strings.HasPrefix(name, module+"/") {
			inner := path.Join(folder, strings.TrimPrefix(name, module))
			if w.folders[inner] != nil {
				found := w.check(inner, name)
				w.inside[found] = inner
				return found, nil
			}
		}
	}
	if !strings.Contains(strings.Split(name, "/")[0], ".") {
		if found, err := w.std.Import(name); err == nil {
			return found, nil
		}
	}
	made := types.NewPackage(name, path.Base(name))
	made.MarkComplete()
	w.fake[made] = true
	return made, nil
}

// check type-checks the package of a folder, without its tests.
func (w *world) check(folder, name string) *types.Package {
	if found := w.packages[folder]; found != nil {
		return found
	}
	empty := types.NewPackage(name, path.Base(name))
	empty.MarkComplete()
	w.packages[folder] = empty
	var own, tests, outer []*ast.File
	for _, file := range w.folders[folder] {
		parsed := w.files[file]
		switch {
		case strings.HasSuffix(parsed.Name.Name, "_test"):
			outer = append(outer, parsed)
		case strings.HasSuffix(file, "_test.go"):
			tests = append(tests, parsed)
		default:
			own = append(own, parsed)
		}
	}
	config := types.Config{Importer: w, Error: func(error) {}, FakeImportC: true}
	found, _ := config.Check(name, w.set, append(own, tests...), w.info)
	if found != nil {
		w.packages[folder] = found
	}
	if outer != nil {
		config.Check(name+"_test", w.set, outer, w.info)
	}
	return w.packages[folder]
}

func read(root string, asked request) *world {
	w := &world{
		root: root, set: token.NewFileSet(), numbers: map[string]int{}, texts: map[string][]byte{},
		files: map[string]*ast.File{}, folders: map[string][]string{}, modules: map[string]string{},
		packages: map[string]*types.Package{}, fake: map[*types.Package]bool{}, inside: map[*types.Package]string{},
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}},
	}
	w.std = importer.ForCompiler(w.set, "source", nil)
	line := regexp.MustCompile(`(?m)^module\s+(\S+)`)
	filepath.WalkDir(root, func(name string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Base(name) == "go.mod" {
			text, _ := os.ReadFile(name)
			folder, _ := filepath.Rel(root, filepath.Dir(name))
			if found := line.FindSubmatch(text); found != nil {
				w.modules[string(found[1])] = filepath.ToSlash(folder)
			}
		}
		return nil
	})
	for number, file := range asked.Files {
		name := filepath.Join(root, file)
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		parsed, err := parser.ParseFile(w.set, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		w.numbers[name], w.texts[name], w.files[file] = number, text, parsed
		folder := path.Dir(file)
		w.folders[folder] = append(w.folders[folder], file)
	}
	return w
}

func list(w *world, asked request) any {
	names, definitions := []named{}, []named{}
	for _, file := range asked.Files {
		parsed := w.files[file]
		if parsed == nil {
			continue
		}
		define := func(name *ast.Ident) {
			definitions = append(definitions, named{w.place(name.Pos()), name.Name})
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Ident:
				if node.Name != "_" {
					names = append(names, named{w.place(node.Pos()), node.Name})
				}
			case *ast.FuncDecl:
				define(node.Name)
			case *ast.TypeSpec:
				define(node.Name)
			}
			return true
		})
	}
	return map[string]any{"names": names, "definitions": definitions}
}

func answers(w *world, asked request) any {
	for folder := range w.folders {
		name := folder
		best := -1
		for module, root := range w.modules {
			if root == "." || folder == root || strings.HasPrefix(folder, root+"/") {
				if len(root) > best {
					best = len(root)
					name = path.Join(module, strings.TrimPrefix(strings.TrimPrefix(folder, root), "/"))
				}
			}
		}
		w.check(folder, name)
	}
	wanted := map[place]*answer{}
	for _, one := range asked.Places {
		wanted[one] = nil
	}
	for _, file := range asked.Files {
		parsed := w.files[file]
		if parsed == nil {
			continue
		}
		selected := map[*ast.Ident]ast.Expr{}
		keys := map[*ast.Ident]bool{}
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.SelectorExpr:
				selected[node.Sel] = node.X
			case *ast.KeyValueExpr:
				if key, isName := node.Key.(*ast.Ident); isName {
					keys[key] = true
				}
			}
			return true
		})
		ast.Inspect(parsed, func(node ast.Node) bool {
			name, isName := node.(*ast.Ident)
			if !isName {
				return true
			}
			at := w.place(name.Pos())
			if _, isWanted := wanted[at]; isWanted {
				wanted[at] = w.meaning(name, at, selected[name], keys[name])
			}
			return true
		})
	}
	rows := []*answer{}
	for _, one := range asked.Places {
		rows = append(rows, wanted[one])
	}
	return map[string]any{"answers": rows}
}

func (w *world) meaning(name *ast.Ident, at place, before ast.Expr, isKey bool) *answer {
	object := w.info.Uses[name]
	if object == nil {
		object = w.info.Defs[name]
	}
	outside := &answer{[]place{}, "external"}
	if object == nil {
		// A name of a package that is not there.
		if of, isName := before.(*ast.Ident); isName {
			if used, isPackage := w.info.Uses[of].(*types.PkgName); isPackage && w.fake[used.Imported()] {
				return outside
			}
		}
		return nil
	}
	if used, isPackage := object.(*types.PkgName); isPackage {
		// A package is its import, or any of its files, whose first character stands for it.
		folder, isInside := w.inside[used.Imported()]
		if !isInside {
			return outside
		}
		targets := []place{w.place(used.Pos())}
		for _, file := range w.folders[folder] {
			targets = append(targets, place{w.numbers[filepath.Join(w.root, file)], 1, 1})
		}
		return &answer{targets, "import"}
	}
	target := w.place(object.Pos())
	if !object.Pos().IsValid() || target[0] < 0 {
		return outside
	}
	stratum := "local"
	variable, isVariable := object.(*types.Var)
	function, isFunction := object.(*types.Func)
	_, isType := object.(*types.TypeName)
	isMethod := isFunction && function.Type().(*types.Signature).Recv() != nil
	switch {
	case isVariable && variable.IsField() || isMethod:
		stratum = "member"
	case isFunction || isType:
		stratum = "function_class"
	case target[0] != at[0]:
		stratum = "import"
	}
	return &answer{[]place{target}, stratum}
}

func main() {
	words := os.Args[1:]
	isList := words[0] == "list"
	if isList {
		words = words[1:]
	}
	root, err := filepath.EvalSymlinks(words[0])
	if err != nil {
		panic(err)
	}
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	w := read(root, asked)
	var found any
	if isList {
		found = list(w, asked)
	} else {
		found = answers(w, asked)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}
