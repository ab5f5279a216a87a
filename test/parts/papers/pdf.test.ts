import { describe, expect, it } from 'vitest'
import { drawSheet } from '../../../src/parts/papers/pdf/draw-sheet.ts'
import { payoutPaper } from '../../../src/rules/commerce/invoices/payout-paper.ts'
import { sheetOf } from '../../../src/rules/commerce/invoices/sheet-of.ts'
import { invoiceWith } from '../../support/papers/invoices.ts'
import { canReadPdf, infoOf, isWellFormed, textOf } from '../../support/papers/pdf-text.ts'

const drawn = (of: Parameters<typeof invoiceWith>[0] = {}) =>
  drawSheet({ sheet: sheetOf(invoiceWith(of), 'test'), logo: null })

/** What is drawn, without the marks that poppler adds to say which way it goes. */
const readBack = (pdf: Uint8Array): string =>
  textOf(pdf)
    .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
    .normalize('NFKD')

const line = { description: null, quantity: 1, amount: 100, tax: 0 }

describe('a paper as a PDF', () => {
  it('is the same bytes for the same sheet', async () => {
    const [one, another] = [await drawn(), await drawn()]
    expect(Buffer.from(one).equals(another)).toBe(true)
    expect(Buffer.from(one).equals(await drawn({ total: 4_761 }))).toBe(false)
  })

  it.skipIf(!canReadPdf)('is well formed, tagged, and has a title', async () => {
    const pdf = await drawn()
    expect(isWellFormed(pdf)).toBe(true)
    const info = infoOf(pdf)
    expect(info).toMatch(/^Title: +Invoice INV-000042$/m)
    expect(info).toMatch(/^Tagged: +yes$/m)
    expect(info).toMatch(/^Pages: +1$/m)
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Lang (en)')
  })

  it.skipIf(!canReadPdf)('can be read in English and German', async () => {
    expect(readBack(await drawn())).toMatch(/Acme Cloud.*Invoice.*Ada Lovelace.*\$47\.60/s)
    const german = await drawn({
      language: 'de',
      currency: 'EUR',
      isReverseCharged: true,
      tax: 0,
      total: 123_456_789,
      lines: [{ ...line, name: 'Größenänderung „Überall“', amount: 123_456_789 }],
      buyer: { name: 'Jürgen Müßig', businessName: 'Ärger & Söhne GmbH', taxId: 'DE136695976' },
    })
    for (const text of [
      'Rechnung',
      'Größenänderung „Überall“',
      'Ärger & Söhne GmbH',
      'Steuernummer: DE136695976',
      '1.234.567,89 €',
      'Steuerschuldnerschaft des Leistungsempfängers.',
      '22. November 2026',
    ]) {
      expect(readBack(german)).toContain(text.normalize('NFKD'))
    }
  })

  it.skipIf(!canReadPdf)('says of a payout who is paid, and what it consists of', async () => {
    const { paper: usual } = invoiceWith()
    const totals = [
      { eventType: 'payment', total: 1_000 },
      { eventType: 'refund', total: -100 },
      { eventType: 'payout_fees', total: -5 },
    ] as const
    const payout = { payoutId: 'pyt_1', currency: 'JPY', amount: 895 } as const
    const seller = { ...usual.seller, name: '株式会社アクメ', businessName: null }
    const payer = { name: 'Sluice Payments GmbH', lines: ['Ring 1', '1010 Wien', 'Austria'] }
    const paper = payoutPaper(payout, { payer, seller, totals })
    const pdf = await drawSheet({
      sheet: sheetOf({ ...invoiceWith(), kind: 'payout', paper }, 'live'),
      logo: null,
    })
    expect(isWellFormed(pdf)).toBe(true)
    const text = readBack(pdf)
    for (const part of [
      '株式会社アクメ',
      'Paid by',
      'Sluice Payments GmbH',
      '1010 Wien',
      'Payout number: PAY-000042',
      'Payout: pyt_1',
      'Payments: ¥1,000',
      'Refunds: -¥100',
      'Payout fee: -¥5',
      '¥895',
      'Paid on November 22, 2026.',
    ]) {
      expect(text).toContain(part.normalize('NFKD'))
    }
  })

  it.skipIf(!canReadPdf)('can be read in Arabic, from right to left', async () => {
    const text = readBack(
      await drawn({
        language: 'ar',
        currency: 'KWD',
        lines: [{ ...line, name: 'الخطة الاحترافية', amount: 1_234_567 }],
        tax: 0,
        total: 1_234_567,
        buyer: { name: 'محمد بن عبد الله الأنصاري' },
      }),
    )
    for (const part of ['فاتورة', 'الخطة الاحترافية', 'محمد بن عبد الله الأنصاري', '1,234.567']) {
      expect(text).toContain(part.normalize('NFKD'))
    }
  })

  it.skipIf(!canReadPdf)('can be read in Japanese and Thai', async () => {
    const japanese = readBack(
      await drawn({
        language: 'ja',
        currency: 'JPY',
        lines: [{ ...line, name: 'プロプラン（年額）', amount: 120_000 }],
        tax: 0,
        total: 120_000,
        buyer: { businessName: '株式会社山田製作所' },
      }),
    )
    for (const part of ['請求書', 'プロプラン', '株式会社山田製作所', '120,000']) {
      expect(japanese).toContain(part.normalize('NFKD'))
    }
    const thai = readBack(
      await drawn({ language: 'th', currency: 'THB', buyer: { name: 'สมชาย ใจดี' } }),
    )
    for (const part of ['ใบแจ้งหนี้', 'สมชาย ใจดี', 'จำนวนเงิน', '฿47.60']) {
      expect(thai).toContain(part.normalize('NFKD'))
    }
  })

  it.skipIf(!canReadPdf)(
    'shows all scripts in one name, and that a character is missing',
    async () => {
      const text = readBack(
        await drawn({
          buyer: { name: 'Søn שלום 한국어 中文 Ελλάδα Жуков \u{10330} e\u0323\u0301' },
        }),
      )
      for (const part of ['Søn', 'שלום', '한국어', '中文', 'Ελλάδα', 'Жуков', '\ufffd']) {
        expect(text).toContain(part.normalize('NFKD'))
      }
    },
  )

  it.skipIf(!canReadPdf)('draws emoji, whatever they are put together of', async () => {
    const [family, heart] = ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u2764\ufe0f']
    const [flag, thumb, key] = ['\u{1f1e9}\u{1f1ea}', '\u{1f44d}\u{1f3fd}', '1\ufe0f\u20e3']
    const pdf = await drawn({
      buyer: { name: `Zo\u00eb \u{1f680} A${family}B` },
      lines: [heart, flag, thumb, key, '\u05e9\u05dc\u{1f600}\u05d5\u05dd'].map((name) => ({
        ...line,
        name,
      })),
    })
    expect(isWellFormed(pdf)).toBe(true)
    const text = readBack(pdf)
    for (const part of [
      '\u{1f680}',
      `A${family}B`,
      '\u2764',
      flag,
      '\u{1f44d}',
      '1\u20e3',
      '\u{1f600}',
    ])
      expect(text).toContain(part.normalize('NFKD'))
    expect(text).not.toContain('\ufffd')
  })

  it.skipIf(!canReadPdf)('shows that something joined to others is missing', async () => {
    const [ahsa, bairkan] = ['\u{10330}', '\u{10331}']
    const text = readBack(await drawn({ buyer: { name: `C${ahsa}\u200d${bairkan}D E\u200dF` } }))
    expect(text).toMatch(/C\ufffd\ufffdD EF/)
  })

  it.skipIf(!canReadPdf)(
    'has 200 lines on pages that each have the head and a number',
    async () => {
      const lines = Array.from({ length: 200 }, (_, index) => ({
        ...line,
        name: `Product number ${index + 1}`,
        description: index % 3 === 0 ? 'A description' : null,
      }))
      const pdf = await drawn({ lines, tax: 0, total: 20_000 })
      const pages = Number(/^Pages: +(\d+)$/m.exec(infoOf(pdf))?.[1])
      expect(pages).toBeGreaterThan(5)
      const text = readBack(pdf)
      for (const { name } of lines) expect(text).toContain(name)
      for (let page = 1; page <= pages; page += 1)
        expect(text).toContain(`Page ${page} of ${pages}`)
      // The last page may have the sums alone.
      expect(text.split('Quantity').length - 1).toBeGreaterThanOrEqual(pages - 1)
    },
  )

  it('takes whatever a text may hold, and texts that are too long for any line', async () => {
    const name = 'W'.repeat(400)
    const nasty = '\u0000\u202e\ud800(\u2067)\n\t\r\u200d\u0301 </Span> %PDF'
    const pdf = await drawn({
      lines: [{ ...line, name, description: nasty.repeat(20) }],
      buyer: { name: nasty, businessName: '   ' },
    })
    if (canReadPdf)
      expect([isWellFormed(pdf), readBack(pdf).includes('%PDF')]).toEqual([true, true])
  })
})
