import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLink } from '../../../../src/rules/commerce/catalog/credit-entitlement.ts'
import { plainDecimal } from '../../../../src/rules/commerce/catalog/decimals.ts'
import type { Definition } from '../../../../src/wire/schemas.ts'
import { meterUnits, pricePerUnit } from '../../../../src/wire/schemas.ts'

/** What the pattern of the body lets through. */
const matching = (definition: Definition) => {
  const pattern = new RegExp(String(definition['pattern']))
  const { source } = pattern
  // The generator knows no lookahead; the filter does.
  return fc
    .stringMatching(new RegExp(source.replace('(?=.*[1-9])', '')))
    .filter((text) => pattern.test(text))
}

describe('a decimal of a body', () => {
  it('keeps its value and loses what says nothing', () => {
    fc.assert(
      fc.property(matching(pricePerUnit), (text) => {
        const plain = plainDecimal(text)
        expect(plain).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(Number(plain)).toBe(Number(text))
        expect(plainDecimal(plain)).toBe(plain)
      }),
    )
  })
})

describe('a default link', () => {
  it('has exact units for whatever a body may say', () => {
    fc.assert(
      fc.property(
        matching(meterUnits),
        fc.option(fc.maxSafeNat(), { nil: null }),
        (meterUnitsPerCredit, freeThreshold) => {
          const link = defaultLink('cde_1', {
            meterId: 'mtr_1',
            meterUnitsPerCredit,
            freeThreshold,
          })
          const [whole = '', fraction = ''] = meterUnitsPerCredit.split('.')
          expect(link.unitsPerCredit).toBe(BigInt(whole + fraction.padEnd(18, '0')))
          expect(link.freeThreshold).toBe(BigInt(`${freeThreshold ?? 0}${'0'.repeat(18)}`))
        },
      ),
    )
  })
})
