import type { ShortLinkListItem, ShortLinkView } from '../short-link.ts'
import { named, shape, textField, timeField } from './shape.ts'

const addresses = { full_url: textField, short_url: textField }

export const shortLinkAnswer = named('ShortLink', shape<ShortLinkView>(addresses))

export const shortLinkItemAnswer = named(
  'ShortLinkListItem',
  shape<ShortLinkListItem>({ ...addresses, product_id: textField, created_at: timeField }),
)
