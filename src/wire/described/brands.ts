import { brandAnswer, brandArchiveAnswer } from '../answers/brands.ts'
import { brandArchive, brandCreate, brandUpdate } from '../brand.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery } from './described.ts'

export const brandsDescribed: DescribedRoutes = {
  'GET /brands': {
    id: 'listBrands',
    summary: 'List brands',
    query: { include_archived: flagQuery },
    answers: { items: brandAnswer },
  },
  'POST /brands': {
    id: 'createBrand',
    summary: 'Create a brand',
    body: {
      schema: brandCreate,
      example: { name: 'Acme Labs', support_email: 'help@example.com', url: 'https://example.com' },
    },
    answers: brandAnswer,
    refusals: ['CONFLICT'],
  },
  'GET /brands/:id': { id: 'getBrand', summary: 'Read a brand', answers: brandAnswer },
  'PATCH /brands/:id': {
    id: 'updateBrand',
    summary: 'Change a brand',
    body: { schema: brandUpdate, example: { name: 'Acme Research', description: null } },
    answers: brandAnswer,
    refusals: ['UNABLE_TO_EDIT_PRIMARY_BRAND', 'BRAND_NOT_ENABLED'],
  },
  'POST /brands/:id/archive': {
    id: 'archiveBrand',
    summary: 'Archive a brand for good, and move what it holds to another',
    body: { schema: brandArchive, example: { move_products_to: null } },
    answers: brandArchiveAnswer,
    refusals: ['UNABLE_TO_EDIT_PRIMARY_BRAND', 'BRAND_NOT_ENABLED'],
  },
}
