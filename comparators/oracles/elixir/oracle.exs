# Symbols and imports of Elixir files as the language's own parser reads them.
#
# Usage: elixir oracle.exs --root DIR
# Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
#
# Functions are named with their arity; each clause is a symbol. Inside a definition nothing is
# looked at, for what stands there runs later or is made by a macro.

defmodule Oracle.Json do
  def encode(nil), do: "null"
  def encode(value) when is_boolean(value) or is_integer(value), do: to_string(value)
  def encode(value) when is_atom(value), do: encode(Atom.to_string(value))
  def encode(list) when is_list(list), do: "[" <> Enum.map_join(list, ",", &encode/1) <> "]"

  def encode(map) when is_map(map) do
    "{" <> Enum.map_join(map, ",", fn {key, value} -> encode(key) <> ":" <> encode(value) end) <> "}"
  end

  def encode(text) when is_binary(text) do
    "\"" <> (text |> String.to_charlist() |> Enum.map_join("", &character/1)) <> "\""
  end

  defp character(?"), do: "\\\""
  defp character(?\\), do: "\\\\"
  defp character(c) when c < 32, do: "\\u" <> String.pad_leading(Integer.to_string(c, 16), 4, "0")
  defp character(c), do: <<c::utf8>>
end

defmodule Oracle.Project do
  @apps [:elixir, :eex, :ex_unit, :iex, :logger, :mix]

  # What decides categories: the names of the project's files, its manifest, the standard modules.
  def new(root) do
    standard =
      for app <- @apps, Application.load(app) != :never, {:ok, modules} = :application.get_key(app, :modules),
          module <- modules, into: MapSet.new(),
          do: module |> Atom.to_string() |> String.replace_prefix("Elixir.", "")

    files = root |> Path.join("**/*.{ex,exs}") |> Path.wildcard()
    manifest = case File.read(Path.join(root, "mix.exs")) do
      {:ok, text} -> text
      _ -> ""
    end

    %{standard: standard, files: files, manifest: manifest}
  end

  def category(project, module, own) do
    first = module |> String.split(".") |> hd()
    file = module |> String.split(".") |> Enum.map_join("/", &Macro.underscore/1)

    cond do
      MapSet.member?(project.standard, module) -> "stdlib"
      String.starts_with?(module, ":") -> "unknown"
      first == "__MODULE__" or MapSet.member?(own, first) -> "local"
      Enum.any?(project.files, &String.ends_with?(&1, ["/" <> file <> ".ex", "/" <> file <> ".exs"])) -> "local"
      String.contains?(project.manifest, ":" <> Macro.underscore(first)) -> "local"
      true -> "third_party"
    end
  end
end

defmodule Oracle.Walk do
  @definitions [:def, :defp, :defmacro, :defmacrop, :defguard, :defguardp, :defdelegate]
  @imports [:alias, :import, :require, :use]

  def labels(tree, project) do
    found = walk(tree, nil, %{symbols: [], imports: []})
    symbols = Enum.reverse(found.symbols)

    own =
      for symbol <- symbols, symbol.parent == nil, into: MapSet.new(),
          do: symbol.name |> String.split(".") |> hd()

    imports =
      for import <- Enum.reverse(found.imports) do
        module = import.path |> String.split(".{") |> hd()
        Map.put(import, :category, Oracle.Project.category(project, module, own))
      end

    %{symbols: symbols, imports: imports}
  end

  defp walk({:defmodule, meta, [name, body]}, parent, found) do
    path = if parent, do: parent <> "." <> module(name), else: module(name)
    walk(body, path, add(found, module(name), "module", meta, parent, true))
  end

  defp walk({:defprotocol, meta, [name, body]}, parent, found) do
    walk(body, module(name), add(found, module(name), "protocol", meta, parent, true))
  end

  defp walk({:defimpl, meta, [name | body]}, parent, found) do
    walk(body, module(name), add(found, module(name), "impl", meta, parent, true))
  end

  defp walk({word, meta, [head | _]}, parent, found) when word in @definitions and is_tuple(head) do
    case head do
      # The name is computed when the module is compiled.
      {:unquote, _, _} -> found
      {:when, _, [guarded | _]} -> define(found, word, guarded, meta, parent)
      head -> define(found, word, head, meta, parent)
    end
  end

  defp walk({word, meta, [name | _]}, _parent, found) when word in @imports do
    path = module(name)
    names = cond do
      String.contains?(path, ".{") ->
        path |> String.split(".{") |> List.last() |> String.trim_trailing("}")
        |> String.split(",") |> Enum.map(&String.trim/1)
      word == :import -> ["*"]
      true -> []
    end
    %{found | imports: [%{path: path, names: names, line: meta[:line]} | found.imports]}
  end

  defp walk({_, _, arguments}, parent, found) when is_list(arguments), do: walk(arguments, parent, found)
  defp walk(list, parent, found) when is_list(list), do: Enum.reduce(list, found, &walk(&1, parent, &2))
  defp walk({left, right}, parent, found), do: walk(right, parent, walk(left, parent, found))
  defp walk(_, _parent, found), do: found

  defp define(found, word, head, meta, parent) do
    {name, arity} = named(head)
    kind = if word in [:defmacro, :defmacrop, :defguard, :defguardp], do: "macro", else: "function"
    exported = word not in [:defp, :defmacrop, :defguardp]
    add(found, "#{name}/#{arity}", kind, meta, parent, exported)
  end

  defp named({name, _, arguments}) when is_atom(name), do: {name, if(is_list(arguments), do: length(arguments), else: 0)}
  defp named(other), do: {Macro.to_string(other), 0}

  defp module({:__aliases__, _, parts}) do
    Enum.map_join(parts, ".", fn part -> if is_atom(part), do: Atom.to_string(part), else: Macro.to_string(part) end)
  end
  defp module(other), do: Macro.to_string(other)

  defp add(found, name, kind, meta, parent, exported) do
    line = meta[:line]
    last = (meta[:end] || meta[:end_of_expression] || meta)[:line] || line
    symbol = %{
      name: name, kind: kind, line: line, decl_line: line, end_line: max(line, last), parent: parent,
      exported: exported, visibility: if(exported, do: "public", else: "private")
    }
    %{found | symbols: [symbol | found.symbols]}
  end
end

root = case System.argv() do
  ["--root", root | _] -> root
  _ -> "."
end
project = Oracle.Project.new(root)

for line <- IO.stream(:stdio, :line), file = String.trim_trailing(line, "\n"), file != "" do
  head = %{file: file, language: "elixir", oracle: "Elixir #{System.version()} Code.string_to_quoted",
           parse_errors: 0, error: nil, symbols: [], imports: []}

  answer =
    with {:ok, text} <- File.read(Path.join(root, file)),
         {:parsed, {:ok, tree}} <- {:parsed, Code.string_to_quoted(text, columns: true, token_metadata: true, emit_warnings: false)} do
      Map.merge(head, Oracle.Walk.labels(tree, project))
    else
      {:error, why} -> %{head | error: to_string(why)}
      {:parsed, _} -> %{head | parse_errors: 1}
    end

  IO.puts(Oracle.Json.encode(answer))
end
