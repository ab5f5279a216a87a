/** A card as a person enters it. No record of ours keeps it. */
export interface EnteredCard {
  readonly number: string
  /** MM/YY */
  readonly expiry: string
  readonly cvc: string
  readonly holder: string | null
}

/** What is wrong with a card before anybody charges it. */
export interface WrongCard {
  readonly field: 'card_number' | 'card_expiry' | 'card_cvc'
  readonly problem: string
}
