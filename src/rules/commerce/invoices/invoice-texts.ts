/** What papers say, by language. Amounts, dates and countries come from the platform's Intl. */
export interface InvoiceTexts {
  readonly amount: string
  readonly billedTo: string
  readonly creditNote: string
  readonly creditNoteNumber: string
  readonly date: string
  readonly description: string
  /** Has {code}. */
  readonly discount: string
  readonly forInvoice: string
  readonly fromWallet: string
  readonly heading: string
  readonly number: string
  readonly page: string
  /** Has {date}. */
  readonly paidBackOn: string
  /** Has {card} and {date}. */
  readonly paidByCard: string
  /** Has {date}. */
  readonly paidOn: string
  readonly payment: string
  readonly quantity: string
  readonly reverseCharge: string
  readonly subtotal: string
  readonly tax: string
  readonly taxId: string
  readonly testMode: string
  readonly total: string
}

const en: InvoiceTexts = {
  amount: 'Amount',
  billedTo: 'Billed to',
  creditNote: 'Credit note',
  creditNoteNumber: 'Credit note number',
  date: 'Date of issue',
  description: 'Description',
  discount: 'Discount {code}, already taken off',
  forInvoice: 'For invoice',
  fromWallet: 'Of which paid from the wallet',
  heading: 'Invoice',
  number: 'Invoice number',
  page: 'Page {page} of {pages}',
  paidBackOn: 'Paid back on {date}.',
  paidByCard: 'Paid on {date} with {card}.',
  paidOn: 'Paid on {date}.',
  payment: 'Payment',
  quantity: 'Quantity',
  reverseCharge: 'Reverse charge: the recipient of the service owes the tax.',
  subtotal: 'Subtotal without tax',
  tax: 'Tax',
  taxId: 'Tax number',
  testMode: 'Test mode: this is no real invoice, and no money moved.',
  total: 'Total',
}

const de: InvoiceTexts = {
  amount: 'Betrag',
  billedTo: 'Rechnung an',
  creditNote: 'Gutschrift',
  creditNoteNumber: 'Nummer der Gutschrift',
  date: 'Ausstellungsdatum',
  description: 'Bezeichnung',
  discount: 'Rabatt {code}, bereits abgezogen',
  forInvoice: 'Zu Rechnung',
  fromWallet: 'Davon aus dem Guthaben bezahlt',
  heading: 'Rechnung',
  number: 'Rechnungsnummer',
  page: 'Seite {page} von {pages}',
  paidBackOn: 'Erstattet am {date}.',
  paidByCard: 'Bezahlt am {date} mit {card}.',
  paidOn: 'Bezahlt am {date}.',
  payment: 'Zahlung',
  quantity: 'Menge',
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers.',
  subtotal: 'Zwischensumme ohne Steuer',
  tax: 'Steuer',
  taxId: 'Steuernummer',
  testMode: 'Testmodus: Dies ist keine echte Rechnung, und es floss kein Geld.',
  total: 'Gesamtbetrag',
}

const fr: InvoiceTexts = {
  amount: 'Montant',
  billedTo: 'Facturé à',
  creditNote: 'Avoir',
  creditNoteNumber: 'Numéro d’avoir',
  date: 'Date d’émission',
  description: 'Désignation',
  discount: 'Remise {code}, déjà déduite',
  forInvoice: 'Pour la facture',
  fromWallet: 'Dont payé avec le portefeuille',
  heading: 'Facture',
  number: 'Numéro de facture',
  page: 'Page {page} sur {pages}',
  paidBackOn: 'Remboursé le {date}.',
  paidByCard: 'Payé le {date} par {card}.',
  paidOn: 'Payé le {date}.',
  payment: 'Paiement',
  quantity: 'Quantité',
  reverseCharge: 'Autoliquidation : la taxe est due par le preneur.',
  subtotal: 'Sous-total hors taxe',
  tax: 'Taxe',
  taxId: 'Numéro fiscal',
  testMode: 'Mode test : ceci n’est pas une vraie facture, aucun argent n’a circulé.',
  total: 'Total',
}

const es: InvoiceTexts = {
  amount: 'Importe',
  billedTo: 'Facturado a',
  creditNote: 'Nota de crédito',
  creditNoteNumber: 'Número de nota de crédito',
  date: 'Fecha de emisión',
  description: 'Descripción',
  discount: 'Descuento {code}, ya restado',
  forInvoice: 'Para la factura',
  fromWallet: 'De ello, pagado con el monedero',
  heading: 'Factura',
  number: 'Número de factura',
  page: 'Página {page} de {pages}',
  paidBackOn: 'Devuelto el {date}.',
  paidByCard: 'Pagado el {date} con {card}.',
  paidOn: 'Pagado el {date}.',
  payment: 'Pago',
  quantity: 'Cantidad',
  reverseCharge: 'Inversión del sujeto pasivo: el impuesto lo debe el destinatario.',
  subtotal: 'Subtotal sin impuestos',
  tax: 'Impuestos',
  taxId: 'Número fiscal',
  testMode: 'Modo de prueba: esta no es una factura real y no se movió dinero.',
  total: 'Total',
}

const ja: InvoiceTexts = {
  amount: '金額',
  billedTo: '請求先',
  creditNote: '返金明細書',
  creditNoteNumber: '返金明細書番号',
  date: '発行日',
  description: '内容',
  discount: '割引 {code}（差引済み）',
  forInvoice: '対象の請求書',
  fromWallet: 'うちウォレットからのお支払い',
  heading: '請求書',
  number: '請求書番号',
  page: '{page} / {pages} ページ',
  paidBackOn: '{date}に返金しました。',
  paidByCard: '{date}に{card}でお支払い済みです。',
  paidOn: '{date}にお支払い済みです。',
  payment: 'お支払い番号',
  quantity: '数量',
  reverseCharge: 'リバースチャージ：消費税等は受領者が納付します。',
  subtotal: '小計（税抜）',
  tax: '税額',
  taxId: '税務番号',
  testMode: 'テストモード：これは実際の請求書ではなく、入金もありません。',
  total: '合計',
}

const ar: InvoiceTexts = {
  amount: 'المبلغ',
  billedTo: 'فاتورة إلى',
  creditNote: 'إشعار دائن',
  creditNoteNumber: 'رقم الإشعار الدائن',
  date: 'تاريخ الإصدار',
  description: 'الوصف',
  discount: 'خصم {code}، مطروح مسبقًا',
  forInvoice: 'عن الفاتورة',
  fromWallet: 'منها مدفوع من المحفظة',
  heading: 'فاتورة',
  number: 'رقم الفاتورة',
  page: 'صفحة {page} من {pages}',
  paidBackOn: 'رُدّت في {date}.',
  paidByCard: 'دُفعت في {date} بواسطة {card}.',
  paidOn: 'دُفعت في {date}.',
  payment: 'رقم الدفعة',
  quantity: 'الكمية',
  reverseCharge: 'الاحتساب العكسي: الضريبة مستحقة على متلقي الخدمة.',
  subtotal: 'المجموع الفرعي دون الضريبة',
  tax: 'الضريبة',
  taxId: 'الرقم الضريبي',
  testMode: 'وضع الاختبار: هذه ليست فاتورة حقيقية ولم تُدفع أي أموال.',
  total: 'الإجمالي',
}

const th: InvoiceTexts = {
  amount: 'จำนวนเงิน',
  billedTo: 'เรียกเก็บจาก',
  creditNote: 'ใบลดหนี้',
  creditNoteNumber: 'เลขที่ใบลดหนี้',
  date: 'วันที่ออก',
  description: 'รายการ',
  discount: 'ส่วนลด {code} (หักแล้ว)',
  forInvoice: 'สำหรับใบแจ้งหนี้',
  fromWallet: 'ในจำนวนนี้ชำระจากกระเป๋าเงิน',
  heading: 'ใบแจ้งหนี้',
  number: 'เลขที่ใบแจ้งหนี้',
  page: 'หน้า {page} จาก {pages}',
  paidBackOn: 'คืนเงินแล้วเมื่อ {date}',
  paidByCard: 'ชำระแล้วเมื่อ {date} ด้วย {card}',
  paidOn: 'ชำระแล้วเมื่อ {date}',
  payment: 'การชำระเงิน',
  quantity: 'จำนวน',
  reverseCharge: 'ภาษีแบบย้อนกลับ: ผู้รับบริการเป็นผู้ชำระภาษี',
  subtotal: 'ยอดรวมก่อนภาษี',
  tax: 'ภาษี',
  taxId: 'เลขประจำตัวผู้เสียภาษี',
  testMode: 'โหมดทดสอบ: นี่ไม่ใช่ใบแจ้งหนี้จริง และไม่มีการโอนเงิน',
  total: 'ยอดรวมทั้งสิ้น',
}

const byLanguage: Readonly<Record<string, InvoiceTexts>> = { ar, de, en, es, fr, ja, th }

/** The words of a language tag's language, and a tag for Intl; English where it is not spoken. */
export function invoiceTextsFor(tag: string): {
  readonly language: string
  readonly texts: InvoiceTexts
} {
  const language = tag.split('-')[0]?.toLowerCase() ?? ''
  const texts = Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined
  return texts === undefined ? { language: 'en', texts: en } : { language, texts }
}
