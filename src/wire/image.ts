import { imageAddress } from './image-address.ts'

/** [resources#images] */
export interface ImageOfferView {
  /** Where the image is to be put, without a key. */
  readonly url: string
  readonly image_id: string
}

/** `image_id` is null where nobody asked for it. [resources#images] */
export interface ProductImageOfferView {
  readonly url: string
  readonly image_id: string | null
}

interface Offered {
  readonly imageId: string
  readonly url: string
}

export const imageOfferView = ({ imageId, url }: Offered): ImageOfferView => ({
  url,
  image_id: imageId,
})

export const productImageOfferView = (
  { imageId, url }: Offered,
  isNamed: boolean,
): ProductImageOfferView => ({ url, image_id: isNamed ? imageId : null })

/** What an upload answers: where the image is served from now on. */
export const uploadedImageView = (base: string, imageId: string) => ({
  image_id: imageId,
  url: imageAddress(base, imageId),
})
