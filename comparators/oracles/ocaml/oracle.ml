(* Symbols and imports of OCaml files as the compiler's own parser reads them.

   Usage: ocaml -I +compiler-libs unix.cma ocamlcommon.cma oracle.ml --root DIR
   Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.

   A symbol is what a structure or a signature offers: values, types with their constructors and
   fields, exceptions, externals, modules, module types and classes. A structure that is the body
   of a module or of a functor belongs to that module; expressions are not looked into. *)

open Parsetree

(* JSON *)

let quoted text =
  let buffer = Buffer.create (String.length text + 2) in
  Buffer.add_char buffer '"';
  String.iter
    (fun c ->
      match c with
      | '"' | '\\' -> Buffer.add_char buffer '\\'; Buffer.add_char buffer c
      | c when Char.code c < 32 -> Buffer.add_string buffer (Printf.sprintf "\\u%04x" (Char.code c))
      | c -> Buffer.add_char buffer c)
    text;
  Buffer.add_char buffer '"';
  Buffer.contents buffer

(* The project: the base names of its files decide what is local. *)

let base_names : (string, unit) Hashtbl.t = Hashtbl.create 1024

let rec index folder =
  Array.iter
    (fun name ->
      let path = Filename.concat folder name in
      match (Unix.lstat path).Unix.st_kind with
      | Unix.S_DIR -> if name <> ".git" then index path
      | Unix.S_REG -> Hashtbl.replace base_names name ()
      | _ -> ()
      | exception Unix.Unix_error _ -> ())
    (try Sys.readdir folder with Sys_error _ -> [||])

let standard : (string, unit) Hashtbl.t = Hashtbl.create 64

let read_standard () =
  let library = Config.standard_library in
  let take folder =
    Array.iter
      (fun file ->
        if Filename.check_suffix file ".cmi" then begin
          let name = Filename.chop_suffix file ".cmi" in
          let prefix = "stdlib__" in
          let size = String.length prefix in
          let name =
            if String.length name > size && String.sub name 0 size = prefix then
              String.sub name size (String.length name - size)
            else name
          in
          Hashtbl.replace standard (String.capitalize_ascii name) ()
        end)
      (try Sys.readdir folder with Sys_error _ -> [||])
  in
  take library;
  take (Filename.concat library "threads")

(* One file *)

let symbols = ref []
let imports = ref []
let own_modules : (string, unit) Hashtbl.t = Hashtbl.create 16

(* Where the lines of the file begin. Lines are counted by it: those of a location follow the line
   directives in the file. *)
let starts : int array ref = ref [| 0 |]

let read_lines text =
  let found = ref [ 0 ] in
  String.iteri (fun at c -> if c = '\n' then found := (at + 1) :: !found) text;
  starts := Array.of_list (List.rev !found)

let line_of (position : Lexing.position) =
  let rec search low high =
    if high - low <= 1 then low + 1
    else
      let middle = (low + high) / 2 in
      if !starts.(middle) <= position.pos_cnum then search middle high else search low middle
  in
  search 0 (Array.length !starts)

let first (location : Location.t) = line_of location.loc_start
let last (location : Location.t) = line_of location.loc_end

let add name kind ~(name_at : Location.t) ~(whole : Location.t) parent =
  let parent = match parent with None -> "null" | Some parent -> quoted parent in
  symbols :=
    Printf.sprintf
      "{\"name\":%s,\"kind\":\"%s\",\"line\":%d,\"decl_line\":%d,\"end_line\":%d,\"parent\":%s}"
      (quoted name) kind (first name_at) (first whole) (last whole) parent
    :: !symbols

let import (path : Longident.t) whole =
  match Longident.flatten path with
  | exception _ -> ()
  | [] -> ()
  | root :: _ as parts ->
    let file = String.uncapitalize_ascii root in
    let category =
      if Hashtbl.mem base_names (file ^ ".ml") || Hashtbl.mem base_names (file ^ ".mli") then "local"
      else if Hashtbl.mem standard root then "stdlib"
      else if Hashtbl.mem own_modules root then "local"
      else "third_party"
    in
    imports :=
      Printf.sprintf "{\"path\":%s,\"names\":[\"*\"],\"category\":\"%s\",\"line\":%d}"
        (quoted (String.concat "." parts)) category (first whole)
      :: !imports

let types parent declarations =
  List.iter
    (fun d ->
      let name = d.ptype_name in
      add name.txt "type" ~name_at:name.loc ~whole:d.ptype_loc parent;
      let inside = Some name.txt in
      match d.ptype_kind with
      | Ptype_variant constructors ->
        List.iter
          (fun c -> add c.pcd_name.txt "constructor" ~name_at:c.pcd_name.loc ~whole:c.pcd_loc inside)
          constructors
      | Ptype_record fields ->
        List.iter
          (fun f -> add f.pld_name.txt "field" ~name_at:f.pld_name.loc ~whole:f.pld_loc inside)
          fields
      | Ptype_abstract | Ptype_open -> ())
    declarations

let rec callable e =
  match e.pexp_desc with
  | Pexp_fun _ | Pexp_function _ -> true
  | Pexp_newtype (_, e) | Pexp_constraint (e, _) | Pexp_poly (e, _) -> callable e
  | _ -> false

let rec pattern parent kind whole p =
  match p.ppat_desc with
  | Ppat_var name -> add name.txt kind ~name_at:name.loc ~whole parent
  | Ppat_constraint (p, _) -> pattern parent kind whole p
  | Ppat_tuple parts -> List.iter (pattern parent kind whole) parts
  | _ -> ()

let described v kind_of parent whole =
  add v.pval_name.txt kind_of ~name_at:v.pval_name.loc ~whole parent

let exception_of e parent whole =
  let c = e.ptyexn_constructor in
  add c.pext_name.txt "exception" ~name_at:c.pext_name.loc ~whole parent

let rec item parent i =
  let whole = i.pstr_loc in
  match i.pstr_desc with
  | Pstr_value (_, bindings) ->
    List.iter
      (fun b ->
        let kind = if callable b.pvb_expr then "function" else "variable" in
        pattern parent kind b.pvb_loc b.pvb_pat)
      bindings
  | Pstr_type (_, declarations) -> types parent declarations
  | Pstr_exception e -> exception_of e parent whole
  | Pstr_primitive v -> described v "function" parent whole
  | Pstr_module m -> binding parent m
  | Pstr_recmodule modules -> List.iter (binding parent) modules
  | Pstr_modtype m -> add m.pmtd_name.txt "interface" ~name_at:m.pmtd_name.loc ~whole:m.pmtd_loc parent
  | Pstr_class classes ->
    List.iter
      (fun c -> add c.pci_name.txt "class" ~name_at:c.pci_name.loc ~whole:c.pci_loc parent)
      classes
  | Pstr_open { popen_expr = { pmod_desc = Pmod_ident path; _ }; _ } -> import path.txt whole
  | _ -> ()

and binding parent m =
  match m.pmb_name.txt with
  | None -> ()
  | Some name ->
    Hashtbl.replace own_modules name ();
    add name "module" ~name_at:m.pmb_name.loc ~whole:m.pmb_loc parent;
    body name m.pmb_expr

and body name e =
  match e.pmod_desc with
  | Pmod_structure items -> List.iter (item (Some name)) items
  | Pmod_constraint (e, _) | Pmod_functor (_, e) -> body name e
  | _ -> ()

let signature_item i =
  let whole = i.psig_loc in
  match i.psig_desc with
  | Psig_value v ->
    let arrow = match v.pval_type.ptyp_desc with Ptyp_arrow _ -> true | _ -> v.pval_prim <> [] in
    described v (if arrow then "function" else "variable") None whole
  | Psig_type (_, declarations) -> types None declarations
  | Psig_exception e -> exception_of e None whole
  | Psig_module { pmd_name = { txt = Some name; loc }; pmd_loc; _ } ->
    add name "module" ~name_at:loc ~whole:pmd_loc None
  | Psig_modtype m -> add m.pmtd_name.txt "interface" ~name_at:m.pmtd_name.loc ~whole:m.pmtd_loc None
  | Psig_open { popen_expr = path; _ } -> import path.txt whole
  | _ -> ()

let answer file path =
  symbols := [];
  imports := [];
  Hashtbl.reset own_modules;
  let interface = Filename.check_suffix file ".mli" in
  let language = if interface then "ocaml_interface" else "ocaml" in
  let head =
    Printf.sprintf "{\"file\":%s,\"language\":%s,\"oracle\":%s" (quoted file) (quoted language)
      (quoted ("OCaml compiler-libs " ^ Sys.ocaml_version))
  in
  match
    let channel = open_in_bin path in
    let text =
      Fun.protect
        ~finally:(fun () -> close_in channel)
        (fun () -> really_input_string channel (in_channel_length channel))
    in
    read_lines text;
    let lexer = Lexing.from_string text in
    Location.init lexer file;
    if interface then List.iter signature_item (Parse.interface lexer)
    else List.iter (item None) (Parse.implementation lexer)
  with
  | () ->
    Printf.printf "%s,\"parse_errors\":0,\"error\":null,\"symbols\":[%s],\"imports\":[%s]}\n" head
      (String.concat "," (List.rev !symbols))
      (String.concat "," (List.rev !imports))
  | exception Sys_error why ->
    Printf.printf "%s,\"parse_errors\":0,\"error\":%s,\"symbols\":[],\"imports\":[]}\n" head (quoted why)
  | exception _ ->
    Printf.printf "%s,\"parse_errors\":1,\"error\":null,\"symbols\":[],\"imports\":[]}\n" head

let () =
  let root = match Array.to_list Sys.argv with _ :: "--root" :: root :: _ -> root | _ -> "." in
  Warnings.parse_options false "-a" |> ignore;
  read_standard ();
  index root;
  try
    while true do
      let file = input_line stdin in
      if file <> "" then answer file (Filename.concat root file);
      flush stdout
    done
  with End_of_file -> ()
