// What a reader likes is kept in this browser alone.

/** The reader's own colours unless they chose: kept in this browser alone. */
const name = 'sluice-theme'
const choices = ['system', 'light', 'dark'] as const
export type Theme = (typeof choices)[number]

export function themeNow(): Theme {
  const kept = stored()
  return choices.find((one) => one === kept) ?? 'system'
}

export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    localStorage.setItem(name, theme)
  } catch {
    // Where nothing may be stored, it holds for this page.
  }
}

/** Calls `turned` when the page has other colours: by choice, or as the system turns. */
export function whenColoursTurn(turned: () => void): () => void {
  const watching = new MutationObserver(turned)
  watching.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', turned)
  return () => {
    watching.disconnect()
    system.removeEventListener('change', turned)
  }
}

export const nextTheme = (theme: Theme): Theme =>
  choices[(choices.indexOf(theme) + 1) % choices.length] ?? 'system'

function stored(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
