import { Fault, notFound } from '../../faults.ts'
import type { InvoiceFile, ReadInvoiceNeeds } from '../../operations/invoices/read-invoice.ts'
import { readIssuedPaper, readPaymentInvoice } from '../../operations/invoices/read-invoice.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { InvoiceKind } from '../../rules/commerce/invoices/invoice.ts'
import { invoiceTier } from '../../rules/commerce/rate-tier.ts'
import type { SignedTokens } from '../../runtime/signed-token.ts'
import { invoiceTokenParts } from '../../wire/invoice-link.ts'
import { etagOf, unlessKnown } from '../http/etag.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { route } from '../http/route.ts'

export interface InvoiceRouteNeeds extends ReadInvoiceNeeds {
  readonly tokens: Pick<SignedTokens, 'open'>
}

/** Papers, by key or by the signed token of their link. [invoices#links] */
export function invoiceRoutes(needs: InvoiceRouteNeeds): readonly Route[] {
  return [
    paper('/invoices/payments/:id', 'payment', readPaymentInvoice),
    paper('/invoices/refunds/:id', 'refund', readIssuedPaper('refund')),
    paper('/invoices/payouts/:id', 'payout', readIssuedPaper('payout')),
  ]

  function paper(
    pattern: string,
    kind: InvoiceKind,
    read: (needs: ReadInvoiceNeeds, scope: Scope, id: string) => Promise<InvoiceFile>,
  ): Route {
    return { ...route('GET', pattern, 'read', retrieve), ...narrow }

    async function retrieve(request: Request): Promise<Reply> {
      const id = parseId(request, 'id', kind)
      const scope = await scopeOf(request, kind, id)
      return pdfReply(request, await read(needs, scope, id))
    }
  }

  /** Whose paper is asked for: that of the caller, or of the token. */
  async function scopeOf(request: Request, kind: InvoiceKind, id: string): Promise<Scope> {
    const token = request.query('token')
    if (token === null || request.header('authorization') !== null) return request.caller
    const { mode } = request
    const signed = needs.tokens.open(token)
    if (JSON.stringify(signed) !== JSON.stringify(invoiceTokenParts(mode, kind, id))) {
      throw new Fault('UNAUTHORIZED', 'The token of this link is not the one of this invoice.')
    }
    const owner = await needs.invoices.ownerOf(mode, kind, id)
    if (owner === null) throw notFound(`invoice of ${kind}`, id)
    return owner
  }
}

const narrow: Pick<Route, 'opener' | 'windows'> = {
  opener: 'token',
  windows: { name: 'invoices', tier: invoiceTier },
}

/** Nobody between keeps it, and a browser that has it asks whether it is still the same. */
const pdfReply = (request: Request, { file, id }: InvoiceFile): Reply =>
  unlessKnown(request, {
    status: 200,
    raw: file,
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${id}.pdf"`,
      'Cache-Control': 'private, no-cache',
      ETag: etagOf(file),
      'X-Content-Type-Options': 'nosniff',
    },
  })
