/** The part of Babel's path that is looked at. */
interface Path {
  isCallExpression(): boolean
  readonly node: { readonly callee?: { readonly type: string; readonly name?: string } }
}

/**
 * An assertion states what cannot happen: no test of right rules can tell a weaker one from it, so
 * what stands inside `assert(…)` is left as it is.
 */
export const strykerPlugins = [{ kind: 'Ignore', name: 'assertions', value: { shouldIgnore } }]

function shouldIgnore(path: Path): string | undefined {
  const callee = path.isCallExpression() ? path.node.callee : undefined
  const isAssertion = callee?.type === 'Identifier' && /^assert/.test(callee.name ?? '')
  return isAssertion ? 'An assertion cannot fail in right rules.' : undefined
}
