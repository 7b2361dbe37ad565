-- Symbols and imports of Haskell files as the parser haskell-src-exts reads them.
--
-- Usage: oracle --root DIR
-- Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
--
-- A name with a signature is one symbol, on the line of its signature. Constructors, fields and
-- methods are exported if the export list names them or opens their type with (..).
module Main (main) where

import Control.Exception (SomeException, evaluate, try)
import Control.Monad (forM, unless)
import Data.Char (isSpace, ord)
import Data.List (intercalate, isPrefixOf, isSuffixOf)
import qualified Data.Map as Map
import qualified Data.Set as Set
import Language.Haskell.Exts
import System.Directory (doesDirectoryExist, listDirectory, pathIsSymbolicLink)
import System.Environment (getArgs)
import System.IO
import System.Process (readProcess)
import Text.Printf (printf)

-- JSON

quoted :: String -> String
quoted text = "\"" ++ concatMap character text ++ "\""
  where
    character '"' = "\\\""
    character '\\' = "\\\\"
    character c | ord c < 32 = printf "\\u%04x" (ord c)
                | otherwise = [c]

-- The project: its files decide what is local.

filesBelow :: FilePath -> IO [FilePath]
filesBelow folder = do
  names <- either none id <$> try (listDirectory folder)
  concat <$> forM (filter (/= ".git") names) (\name -> do
    let path = folder ++ "/" ++ name
    link <- either (const True) id <$> (try (pathIsSymbolicLink path) :: IO (Either SomeException Bool))
    inside <- doesDirectoryExist path
    if link then pure [] else if inside then filesBelow path else pure [path])
  where
    none :: SomeException -> [FilePath]
    none _ = []

-- Modules of the packages that come with the compiler.
standardModules :: IO (Set.Set String)
standardModules = do
  packages <- words <$> readProcess "ghc-pkg" ["list", "--global", "--simple-output"] ""
  let own = filter (not . isPrefixOf "haskell-src-exts") packages
  listed <- forM own (\package -> readProcess "ghc-pkg" ["field", package, "exposed-modules", "--simple-output"] "")
  pure (Set.fromList (concatMap (words . map (\c -> if c == ',' then ' ' else c)) listed))

-- One file

data Found = Found
  { label :: String, sort :: String, firstLine :: Int, lastLine :: Int, parent :: Maybe String }

plain :: Name l -> String
plain (Ident _ text) = text
plain (Symbol _ text) = text

qualifiedName :: QName l -> String
qualifiedName (Qual _ _ n) = plain n
qualifiedName (UnQual _ n) = plain n
qualifiedName (Special _ _) = ""

startOf, endOf :: Annotated ast => ast SrcSpanInfo -> Int
startOf = srcSpanStartLine . srcInfoSpan . ann
endOf = srcSpanEndLine . srcInfoSpan . ann

-- A symbol named by one node and declared by another.
symbol :: (Annotated a, Annotated b) => String -> a SrcSpanInfo -> b SrcSpanInfo -> String -> Maybe String -> Found
symbol what at whole text = Found text what (startOf at) (endOf whole)

headName :: DeclHead l -> Name l
headName h = case h of
  DHead _ n -> n
  DHInfix _ _ n -> n
  DHParen _ inner -> headName inner
  DHApp _ inner _ -> headName inner

declared :: Decl SrcSpanInfo -> [Found]
declared d = case d of
  TypeDecl _ h _ -> [of' "type" h]
  TypeFamDecl _ h _ _ -> [of' "type_family" h]
  DataDecl _ _ _ h constructors _ -> of' "data" h : concatMap (constructor (typeName h)) constructors
  GDataDecl _ _ _ h _ constructors _ ->
    of' "data" h : [named "constructor" n c (Just (typeName h)) | c@(GadtDecl _ n _ _ _ _) <- constructors]
  ClassDecl _ _ h _ body ->
    of' "class" h
      : [ named "method" n s (Just (typeName h))
        | Just members <- [body], ClsDecl _ s@(TypeSig _ names _) <- members, n <- names ]
  TypeSig _ names _ -> [named "function" n d Nothing | n <- names]
  FunBind _ (Match _ n _ _ _ : _) -> [named "function" n d Nothing]
  FunBind _ (InfixMatch _ _ n _ _ _ : _) -> [named "function" n d Nothing]
  PatBind _ (PVar _ n) _ _ -> [named "function" n d Nothing]
  _ -> []
  where
    typeName = plain . headName
    named what n whole = symbol what n whole (plain n)
    of' what h = named what (headName h) d Nothing

constructor :: String -> QualConDecl SrcSpanInfo -> [Found]
constructor parentName c@(QualConDecl _ _ _ body) = case body of
  ConDecl _ n _ -> [of' n]
  InfixConDecl _ _ n _ -> [of' n]
  RecDecl _ n fields ->
    of' n : [symbol "field" f field (plain f) (Just parentName) | field@(FieldDecl _ names _) <- fields, f <- names]
  where
    of' n = symbol "constructor" n c (plain n) (Just parentName)

-- Equations belong to the signature of their name, or to the first of them.
merged :: [Found] -> [Found]
merged symbols = map extended (go Set.empty symbols)
  where
    top s = sort s == "function"
    ends = Map.fromListWith max [(label s, lastLine s) | s <- symbols, top s]
    extended s | top s = s { lastLine = Map.findWithDefault (lastLine s) (label s) ends }
               | otherwise = s
    go _ [] = []
    go seen (s : rest)
      | top s && label s `Set.member` seen = go seen rest
      | top s = s : go (Set.insert (label s) seen) rest
      | otherwise = s : go seen rest

-- What the head exports: names, and types whose parts are exported as well.
data Exports = Everything | Only (Set.Set String) (Set.Set String)

exportsOf :: Maybe (ModuleHead SrcSpanInfo) -> Exports
exportsOf (Just (ModuleHead _ (ModuleName _ own) _ (Just (ExportSpecList _ specs))))
  | or [exported == own | EModuleContents _ (ModuleName _ exported) <- specs] = Everything
  | otherwise = Only (Set.fromList (concatMap names specs)) (Set.fromList (concatMap open specs))
  where
    names spec = case spec of
      EVar _ n -> [qualifiedName n]
      EAbs _ _ n -> [qualifiedName n]
      EThingWith _ _ n parts -> qualifiedName n : map part parts
      EModuleContents _ _ -> []
    part (VarName _ n) = plain n
    part (ConName _ n) = plain n
    open (EThingWith _ (EWildcard _ _) n _) = [qualifiedName n]
    open _ = []
exportsOf _ = Everything

isExported :: Exports -> Found -> Bool
isExported Everything _ = True
isExported (Only names open) s = label s `Set.member` names || maybe False (`Set.member` open) (parent s)

showSymbol :: Exports -> Found -> String
showSymbol exports s =
  "{\"name\":" ++ quoted (label s) ++ ",\"kind\":" ++ quoted (sort s)
    ++ ",\"line\":" ++ show (firstLine s) ++ ",\"decl_line\":" ++ show (firstLine s)
    ++ ",\"end_line\":" ++ show (max (firstLine s) (lastLine s))
    ++ ",\"parent\":" ++ maybe "null" quoted (parent s)
    ++ (if isExported exports s then ",\"visibility\":\"public\",\"exported\":true}"
        else ",\"visibility\":\"private\",\"exported\":false}")

showImport :: (String -> String) -> ImportDecl SrcSpanInfo -> String
showImport category i =
  "{\"path\":" ++ quoted path ++ ",\"names\":[" ++ intercalate "," (map quoted taken) ++ "],\"category\":"
    ++ quoted (category path) ++ ",\"line\":" ++ show (startOf i) ++ "}"
  where
    ModuleName _ path = importModule i
    taken = case importSpecs i of
      Just (ImportSpecList _ False specs) -> map spec specs
      _ -> ["*"]
    spec s = case s of
      IVar _ n -> plain n
      IAbs _ _ n -> plain n
      IThingAll _ n -> plain n
      IThingWith _ n _ -> plain n

-- Extensions that files rely on their package description to enable.
usual :: [Extension]
usual = map EnableExtension
  [ LambdaCase, MultiWayIf, TupleSections, BangPatterns, ScopedTypeVariables, FlexibleContexts
  , FlexibleInstances, MultiParamTypeClasses, GADTs, RankNTypes, TypeFamilies, KindSignatures, CPP ]

answer :: (String -> String) -> String -> String -> String
answer category file text =
  start ++ case parseFileContentsWithMode mode text of
    ParseOk (Module _ h _ imports declarations) ->
      let exports = exportsOf h
      in body 0 (map (showSymbol exports) (merged (concatMap declared declarations))) (map (showImport category) imports)
    _ -> body 1 [] []
  where
    mode = defaultParseMode
      { parseFilename = file, fixities = Nothing
      , extensions = maybe [] snd (readExtensions text) ++ usual }
    start = "{\"file\":" ++ quoted file ++ ",\"language\":\"haskell\",\"oracle\":\"haskell-src-exts 1.23.1\""
    body :: Int -> [String] -> [String] -> String
    body errors symbols imports =
      ",\"parse_errors\":" ++ show errors ++ ",\"error\":null,\"symbols\":["
        ++ intercalate "," symbols ++ "],\"imports\":[" ++ intercalate "," imports ++ "]}"

main :: IO ()
main = do
  hSetEncoding stdin utf8
  hSetEncoding stdout utf8
  arguments <- getArgs
  let root = case arguments of { ["--root", folder] -> folder; _ -> "." }
  files <- filesBelow root
  standard <- standardModules
  let sources = Set.fromList files
      suffixes path = any (\end -> any ((("/" ++ path ++ end)) `isSuffixOf`) candidates) [".hs", ".lhs", ".hsc"]
      candidates = Set.toList (Set.filter (\f -> any (`isSuffixOf` f) [".hs", ".lhs", ".hsc"]) sources)
      category path
        | suffixes (map (\c -> if c == '.' then '/' else c) path) = "local"
        | path `Set.member` standard = "stdlib"
        | otherwise = "third_party"
      loop = do
        end <- isEOF
        unless end $ do
          file <- getLine
          unless (all isSpace file) $ do
            result <- try (do
              handle <- openFile (root ++ "/" ++ file) ReadMode
              hSetEncoding handle utf8
              text <- hGetContents handle
              let line = answer category file text
              _ <- evaluate (length line)
              pure line)
            putStrLn $ case result of
              Right line -> line
              Left problem -> "{\"file\":" ++ quoted file ++ ",\"language\":\"haskell\",\"parse_errors\":0,\"error\":"
                ++ quoted (show (problem :: SomeException)) ++ ",\"symbols\":[],\"imports\":[]}"
            hFlush stdout
          loop
  loop
