module Main (main) where

import Data.SmallTree (Tree, depthOf, insertValue, emptyOf)

type Numbers = Tree Int

newtype Depth = Depth { unDepth :: Int }

buildTree :: [Int] -> Numbers
buildTree = foldr insertValue emptyOf

main :: IO ()
main = print (unDepth (Depth (depthOf (buildTree [3, 1, 2]))))
