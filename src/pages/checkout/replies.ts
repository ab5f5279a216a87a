import type { Reply } from '../../edge/http/route.ts'

export const seeOther = (location: string): Reply => ({
  status: 303,
  raw: '',
  headers: { Location: location, 'Content-Type': 'text/plain', ...safe },
})

/** `allowed`: what the page has beyond its text and style, as its policy says it. */
export const pageReply = (status: number, raw: string, allowed: readonly string[] = []): Reply => ({
  status,
  raw,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    ...safe,
    'Content-Security-Policy': [policy, ...allowed].join('; '),
  },
})

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

/** Nothing is loaded, nothing is cached, and no other page shows it in a frame. */
const safe = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const
