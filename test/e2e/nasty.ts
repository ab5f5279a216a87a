import fc from 'fast-check'

/** Values that have broken parsers, stores and calendars before. */
export const nasty = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -0, -1, 1, 0.1, 1e-7, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324],
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u2028',
    '😀',
    '%00',
    "'; drop table x; --",
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../..', 'NaN', '-0', '1e5', '+1'],
  ...['0', '1', '0.0', '00.10', '9'.repeat(400), `0.${'0'.repeat(300)}1`, '99999.999999999999'],
  ...['9'.repeat(10), '9'.repeat(11), '9'.repeat(30), '1.0000000000000000000000000001'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '2026-02-30T00:00:00Z'],
  ...['2026-06-30T23:59:60Z', '2026-01-01T00:00:00+23:59', '-262143-01-01T00:00:00Z', '1e3'],
  ...['x'.repeat(255), 'x'.repeat(256), 'é'.repeat(255), 'x'.repeat(5000), [], {}, [[]], [null]],
  ...['credit', 'debit', 'count', 'sum', 'max', 'last', 'and', 'or', 'equals', 'contains', 'USD'],
  ...['usage_based_price', 'one_time_price', 'recurring_price', 'Day', 'Year', 'active', 'true'],
  ...['http://localhost', 'http://[::1]:1/', 'https://user:pw@host', 'ftp://x', 'http://', '//x'],
)
const key = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    '',
    'a',
    '\0',
    '\ud800',
    'x'.repeat(41),
    'x'.repeat(101),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
export const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    { weight: 6, arbitrary: nasty },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(key, tie('value'), { maxKeys: 4 }) },
  ),
})).value

/** Paths into a body: every place where something else can stand. */
function placesIn(body: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof body !== 'object' || body === null) return [path]
  return [
    path,
    ...Object.entries(body).flatMap(([name, inner]) => placesIn(inner, [...path, name])),
  ]
}

function replaced(body: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(body)) {
    return body.map((item, index) => (String(index) === name ? replaced(item, rest, by) : item))
  }
  const fields = Object.entries(body as object)
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, field === name ? replaced(inner, rest, by) : inner]),
  )
}

/** A body that is right except in a few places. */
export const nearly = (body: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.constantFrom(...placesIn(body)), value), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((sofar, [path, by]) => attempt(sofar, path, by), body))

function attempt(body: unknown, path: readonly string[], by: unknown): unknown {
  try {
    return replaced(body, path, by)
  } catch {
    // An earlier change has taken the place away.
    return body
  }
}
