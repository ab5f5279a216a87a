import type { CustomFieldResponse } from '../rules/commerce/custom-field-response.ts'

/** What a buyer answered on the checkout page; null: nothing. [resources#checkout-sessions] */
export const customFieldResponses = (
  answers: readonly CustomFieldResponse[] = [],
): readonly CustomFieldResponse[] | null => (answers.length === 0 ? null : answers)
