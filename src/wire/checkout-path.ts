const prefix = 'cks_'

/** The path of a session's page. */
export const pathOfSession = (sessionId: string): string => `/checkout/${sessionId}`

/**
 * The short path that leads to it. It says the whole id but for its beginning, so it is as hard to
 * guess as the session. [payments#pages]
 */
const shortPathOf = (sessionId: string): string => `/c/${sessionId.slice(prefix.length)}`

/** The path to which a short one leads, by what stands in it. */
export const pathOfShort = (rest: string): string => pathOfSession(prefix + rest)

/** The path of a session's page as a body wants it. */
export const pathAskedFor = (
  body: { readonly short_link?: boolean | null },
  sessionId: string,
): string => (body.short_link === true ? shortPathOf : pathOfSession)(sessionId)
