// Statements are few and fixed (templates), so each is prepared once a connection.
const names = new Map<string, string>()
let generation = 0

/** The name under which a statement is prepared. */
export function preparedAs(text: string): string {
  const name = names.get(text) ?? `s${generation}.${names.size}`
  names.set(text, name)
  return name
}

/** Other names from here on: what was prepared under the old ones is outdated. */
export function prepareAnew(): void {
  generation += 1
  names.clear()
}
