/** What the checkout page says, by language. Amounts and dates come from the platform's Intl. */
export interface CheckoutTexts {
  readonly address: string
  readonly card: string
  readonly cardNumber: string
  readonly city: string
  readonly confirmNo: string
  readonly confirmQuestion: string
  readonly confirmYes: string
  readonly country: string
  readonly cvc: string
  readonly done: string
  readonly email: string
  readonly expired: string
  readonly expiry: string
  readonly isMissing: string
  readonly name: string
  readonly order: string
  readonly paid: string
  readonly pay: string
  readonly phone: string
  readonly processing: string
  readonly sellerConfirms: string
  readonly state: string
  readonly street: string
  readonly taxId: string
  readonly testMode: string
  readonly total: string
  readonly zipcode: string
}

const en: CheckoutTexts = {
  address: 'Billing address',
  card: 'Card',
  cardNumber: 'Card number',
  city: 'City',
  confirmNo: 'Do not confirm',
  confirmQuestion: 'Your bank asks: is this payment yours?',
  confirmYes: 'Confirm the payment',
  country: 'Country',
  cvc: 'Security code',
  done: 'Thank you. The payment has been made.',
  email: 'E-mail',
  expired: 'This page has expired. Ask the seller for another link.',
  expiry: 'Valid until (MM/YY)',
  isMissing: 'This field is needed.',
  name: 'Name',
  order: 'Your order',
  paid: 'This order is paid already.',
  pay: 'Pay',
  phone: 'Phone',
  processing: 'The payment is on its way. You will hear of it.',
  sellerConfirms: 'The seller will confirm your payment.',
  state: 'State',
  street: 'Street',
  taxId: 'Tax number',
  testMode: 'Test mode: no money moves.',
  total: 'Total',
  zipcode: 'Postal code',
}

const de: CheckoutTexts = {
  address: 'Rechnungsadresse',
  card: 'Karte',
  cardNumber: 'Kartennummer',
  city: 'Ort',
  confirmNo: 'Nicht bestätigen',
  confirmQuestion: 'Ihre Bank fragt: Ist das Ihre Zahlung?',
  confirmYes: 'Zahlung bestätigen',
  country: 'Land',
  cvc: 'Prüfziffer',
  done: 'Vielen Dank. Die Zahlung ist erfolgt.',
  email: 'E-Mail',
  expired: 'Diese Seite ist abgelaufen. Bitten Sie den Anbieter um einen neuen Link.',
  expiry: 'Gültig bis (MM/JJ)',
  isMissing: 'Dieses Feld wird gebraucht.',
  name: 'Name',
  order: 'Ihre Bestellung',
  paid: 'Diese Bestellung ist schon bezahlt.',
  pay: 'Bezahlen',
  phone: 'Telefon',
  processing: 'Die Zahlung ist unterwegs. Sie hören davon.',
  sellerConfirms: 'Der Anbieter bestätigt Ihre Zahlung.',
  state: 'Bundesland',
  street: 'Straße',
  taxId: 'Steuernummer',
  testMode: 'Testmodus: Es fließt kein Geld.',
  total: 'Summe',
  zipcode: 'Postleitzahl',
}

const fr: CheckoutTexts = {
  address: 'Adresse de facturation',
  card: 'Carte',
  cardNumber: 'Numéro de carte',
  city: 'Ville',
  confirmNo: 'Ne pas confirmer',
  confirmQuestion: 'Votre banque demande : ce paiement est-il le vôtre ?',
  confirmYes: 'Confirmer le paiement',
  country: 'Pays',
  cvc: 'Code de sécurité',
  done: 'Merci. Le paiement est effectué.',
  email: 'E-mail',
  expired: 'Cette page a expiré. Demandez un autre lien au vendeur.',
  expiry: 'Valable jusqu’à (MM/AA)',
  isMissing: 'Ce champ est nécessaire.',
  name: 'Nom',
  order: 'Votre commande',
  paid: 'Cette commande est déjà payée.',
  pay: 'Payer',
  phone: 'Téléphone',
  processing: 'Le paiement est en cours. Vous en serez informé.',
  sellerConfirms: 'Le vendeur confirmera votre paiement.',
  state: 'Région',
  street: 'Rue',
  taxId: 'Numéro fiscal',
  testMode: 'Mode test : aucun argent n’est transféré.',
  total: 'Total',
  zipcode: 'Code postal',
}

const es: CheckoutTexts = {
  address: 'Dirección de facturación',
  card: 'Tarjeta',
  cardNumber: 'Número de tarjeta',
  city: 'Ciudad',
  confirmNo: 'No confirmar',
  confirmQuestion: 'Su banco pregunta: ¿es suyo este pago?',
  confirmYes: 'Confirmar el pago',
  country: 'País',
  cvc: 'Código de seguridad',
  done: 'Gracias. El pago se ha realizado.',
  email: 'Correo electrónico',
  expired: 'Esta página ha caducado. Pida otro enlace al vendedor.',
  expiry: 'Válida hasta (MM/AA)',
  isMissing: 'Este campo es necesario.',
  name: 'Nombre',
  order: 'Su pedido',
  paid: 'Este pedido ya está pagado.',
  pay: 'Pagar',
  phone: 'Teléfono',
  processing: 'El pago está en curso. Le avisaremos.',
  sellerConfirms: 'El vendedor confirmará su pago.',
  state: 'Provincia',
  street: 'Calle',
  taxId: 'Número fiscal',
  testMode: 'Modo de prueba: no se mueve dinero.',
  total: 'Total',
  zipcode: 'Código postal',
}

const ja: CheckoutTexts = {
  address: '請求先住所',
  card: 'カード',
  cardNumber: 'カード番号',
  city: '市区町村',
  confirmNo: '確認しない',
  confirmQuestion: '銀行からの確認：このお支払いに心当たりがありますか。',
  confirmYes: '支払いを確認する',
  country: '国',
  cvc: 'セキュリティコード',
  done: 'ありがとうございます。お支払いが完了しました。',
  email: 'メールアドレス',
  expired: 'このページは期限切れです。販売者に新しいリンクをお求めください。',
  expiry: '有効期限（月/年）',
  isMissing: 'この項目は必須です。',
  name: '名前',
  order: 'ご注文',
  paid: 'このご注文は支払い済みです。',
  pay: '支払う',
  phone: '電話番号',
  processing: 'お支払いを処理しています。後ほどお知らせします。',
  sellerConfirms: '販売者がお支払いを確認します。',
  state: '都道府県',
  street: '番地',
  taxId: '税務番号',
  testMode: 'テストモード：お金は動きません。',
  total: '合計',
  zipcode: '郵便番号',
}

const languages: Readonly<Record<string, CheckoutTexts>> = { en, de, fr, es, ja }

/** A language that the page speaks, with its words: the wanted one, else the reader's first. */
export function textsFor(
  wanted: string | null,
  accepted: string | null,
): { readonly language: string; readonly texts: CheckoutTexts } {
  const asked = (accepted ?? '').split(',').map((each) => each.split(';')[0] ?? '')
  const tags = [...(wanted === null ? [] : [wanted]), ...asked]
  for (const tag of tags) {
    const language = tag.trim().toLowerCase().split('-')[0] ?? ''
    const texts = Object.hasOwn(languages, language) ? languages[language] : undefined
    if (texts !== undefined) return { language, texts }
  }
  return { language: 'en', texts: en }
}
