module Data.SmallTree
  ( Tree (..)
  , insertValue
  , depthOf
  ) where

data Tree a = Leaf | Branch (Tree a) a (Tree a)

class Container f where
  emptyOf :: f a

instance Container Tree where
  emptyOf = Leaf

insertValue :: Ord a => a -> Tree a -> Tree a
insertValue x Leaf = Branch Leaf x Leaf
insertValue x tree@(Branch left y right)
  | x < y = Branch (insertValue x left) y right
  | x > y = Branch left y (insertValue x right)
  | otherwise = tree

depthOf :: Tree a -> Int
depthOf Leaf = 0
depthOf (Branch left _ right) = 1 + max (depthOf left) (depthOf right)
