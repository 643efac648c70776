/** A piece of a type expression. */
export interface TypeToken {
  readonly kind: 'name' | 'string' | 'number' | 'template' | 'sign'
  readonly text: string
}

const NAME = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`
const STRING = String.raw`'(?:[^'\\\r\n]|\\.)*'|"(?:[^"\\\r\n]|\\.)*"`
const NUMBER = String.raw`0[xX][\da-fA-F]+n?|0[bB][01]+n?|0[oO][0-7]+n?|(?:0|[1-9](?:_?\d)*)(?:n|(?:\.\d*)?(?:[eE][+-]?\d+)?)|\.\d+(?:[eE][+-]?\d+)?`
const TEMPLATE = '`(?:[^`\\\\$]|\\\\.|\\$(?!\\{)|\\$\\{[^`{}]*\\})*`'
const PIECE = new RegExp(
  `\\s*(?:(?<name>${NAME})|(?<string>${STRING})|(?<number>${NUMBER})|(?<template>${TEMPLATE})|(?<sign>=>|\\.{3}|\\S))`,
  'guy',
)

/** Cuts a type expression into its pieces. A character that no type has becomes a sign, which no rule takes. */
export function typeTokens(text: string): TypeToken[] {
  return [...text.trim().matchAll(PIECE)].map(({ groups = {} }) => {
    const [kind, piece] = Object.entries(groups).find(([, value]) => value !== undefined) as [TypeToken['kind'], string]
    return { kind, text: piece }
  })
}
