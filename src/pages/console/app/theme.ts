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

export const nextTheme = (theme: Theme): Theme =>
  choices[(choices.indexOf(theme) + 1) % choices.length] ?? 'system'

function stored(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
