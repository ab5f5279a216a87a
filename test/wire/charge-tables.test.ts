import { describe, expect, it } from 'vitest'
import { feeTable, taxTable } from '../../src/wire/charge-tables.ts'

const taxes = (...lines: readonly string[]) =>
  taxTable(['country,region,category,rate_percent', ...lines].join('\n'))
const fees = (...lines: readonly string[]) =>
  feeTable(['kind,percent,fixed_minor,currency', ...lines].join('\n'))

describe('a table of taxes [resources#taxes]', () => {
  it('is read line by line', () => {
    expect(
      taxes('DE,,,19', 'us, ca ,saas,8.875', 'FR,,e_book,5.5', 'GB,,,0', 'AT,,,20.0000'),
    ).toEqual([
      { country: 'DE', region: null, category: null, rate: 190_000 },
      { country: 'US', region: 'CA', category: 'saas', rate: 88_750 },
      { country: 'FR', region: null, category: 'e_book', rate: 55_000 },
      { country: 'GB', region: null, category: null, rate: 0 },
      { country: 'AT', region: null, category: null, rate: 200_000 },
    ])
    expect(taxes()).toEqual([])
    const other = '\uFEFFrate_percent,country,category,region\r\n"7",DE,,"Land, frei"\r\n\r\n'
    expect(taxTable(other)).toEqual([
      { country: 'DE', region: 'LAND, FREI', category: null, rate: 70_000 },
    ])
  })

  it.each([
    [['XX,,,19'], 'Line 2: country must be'],
    [['DE,,,19', ',,,19'], 'Line 3: country must be'],
    [['DE,,food,19'], 'Line 2: category must be empty or one of digital_products'],
    [['DE,,,19%'], 'Line 2: rate_percent must be'],
    [['DE,,,'], 'Line 2: rate_percent must be'],
    [['DE,,,100.0001'], 'Line 2: rate_percent must be'],
    [['DE,,,1.00001'], 'Line 2: rate_percent must be'],
    [['DE,,,-1'], 'Line 2: rate_percent must be'],
    [['DE,,,1e1'], 'Line 2: rate_percent must be'],
    [[`DE,${'x'.repeat(101)},,1`], 'Line 2: region must not be longer'],
    [['DE,be,,1', 'FR,,,1', 'DE,BE,,2'], 'Line 4 is about the same as line 2.'],
    [['DE,,,19,7'], 'This is no CSV'],
    [['DE,"x,,19'], 'This is no CSV'],
  ])('%j is refused: %s', (lines, problem) => {
    expect(taxes(...lines)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it.each([
    '',
    '\n',
    'country,region,category\nDE,,',
    'DE,,,19',
    'country,country,region,category',
  ])('without its header is refused: %j', (text) => {
    const problem = 'The first line must be country,region,category,rate_percent.'
    expect(taxTable(text)).toEqual({ problem })
  })

  it('has so many lines and no more', () => {
    const lines = Array.from({ length: 20_001 }, (_, n) => `DE,r${n},,1`)
    expect(taxes(...lines)).toEqual({ problem: expect.stringContaining('20000 lines') })
    expect(taxes(...lines.slice(1))).toHaveLength(20_000)
  })
})

describe('a table of fees [resources#fees]', () => {
  it('is read line by line', () => {
    expect(fees('payment,2.9,30,usd', 'payment,4,0,', 'dispute,0,1500,USD')).toEqual([
      { kind: 'payment', basisPoints: 290, fixed: 30, currency: 'USD' },
      { kind: 'payment', basisPoints: 400, fixed: 0, currency: null },
      { kind: 'dispute', basisPoints: 0, fixed: 1_500, currency: 'USD' },
    ])
  })

  it.each([
    [['gift,1,0,USD'], 'Line 2: kind must be one of payment'],
    [['payment,2.955,0,USD'], 'Line 2: percent must be'],
    [['payment,101,0,USD'], 'Line 2: percent must be'],
    [['payment,1,1.5,USD'], 'Line 2: fixed_minor must be a whole number'],
    [['payment,1,,USD'], 'Line 2: fixed_minor must be a whole number'],
    [['payment,1,5,'], 'Line 2: fixed_minor must be 0 without a currency'],
    [['payment,1,0,XXX'], 'Line 2: currency must be'],
    [['payment,1,0,USD', 'payment,2,0,usd'], 'Line 3 is about the same as line 2.'],
  ])('%j is refused: %s', (lines, problem) => {
    expect(fees(...lines)).toEqual({ problem: expect.stringContaining(problem) })
  })
})
