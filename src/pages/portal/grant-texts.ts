/** What the portal says of what was granted besides credits, by language. */
export interface GrantTexts {
  readonly accept: string
  readonly active: string
  readonly granted: string
  readonly inUse: string
  readonly pending: string
}

export const grantTexts: Readonly<Record<string, GrantTexts>> = {
  en: {
    accept: 'Accept it',
    active: 'Active',
    granted: 'What you have',
    inUse: 'In use',
    pending: 'On its way',
  },
  de: {
    accept: 'Annehmen',
    active: 'Aktiv',
    granted: 'Was Ihnen gehört',
    inUse: 'In Gebrauch',
    pending: 'Unterwegs',
  },
  fr: {
    accept: 'Accepter',
    active: 'Actif',
    granted: 'Ce que vous avez',
    inUse: 'Utilisations en cours',
    pending: 'En cours',
  },
  es: {
    accept: 'Aceptar',
    active: 'Activo',
    granted: 'Lo que tiene',
    inUse: 'En uso',
    pending: 'En camino',
  },
  ja: {
    accept: '受け取る',
    active: '利用可能',
    granted: 'ご利用いただけるもの',
    inUse: '使用中',
    pending: '準備中',
  },
}
