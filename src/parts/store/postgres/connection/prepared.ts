// Statements are few and fixed (templates), so each one is prepared once per connection.
const names = new Map<string, string>()
let generation = 0

/** The name under which a statement is prepared. */
export function preparedAs(text: string): string {
  const name = names.get(text) ?? `s${generation}.${names.size}`
  names.set(text, name)
  return name
}

/** Uses other names from here on, because what was prepared under the old ones is outdated. */
export function prepareAnew(): void {
  generation += 1
  names.clear()
}
