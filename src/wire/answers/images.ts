import type { ImageOfferView, ProductImageOfferView } from '../image.ts'
import { named, shape, textField, textOrNull } from './shape.ts'

export const imageOfferAnswer = named(
  'ImageOffer',
  shape<ImageOfferView>({ url: textField, image_id: textField }),
)

export const productImageOfferAnswer = named(
  'ProductImageOffer',
  shape<ProductImageOfferView>({ url: textField, image_id: textOrNull }),
)
