import type { HeaderWords } from './header-words.ts';

/** They are the same every month. */
export const NUMBERS_OF_PEOPLE: HeaderWords['words'] = {
  en: 'employee id,employee number,employee no,emp id,emp no,emp number,staff number,staff no,staff id,personnel number,personnel no,personnel id,payroll number,payroll no,payroll id,worker id',
  de: 'personalnummer,personalnr,pers nr,mitarbeiternummer,mitarbeiternr',
  fr: 'matricule,matricule salarié',
  es: 'número de empleado,nº empleado,nº de empleado,código de empleado',
  it: 'matricola,codice dipendente',
  nl: 'personeelsnummer,werknemersnummer',
  pl: 'numer pracownika,nr pracownika',
  pt: 'número de funcionário,matrícula',
};

/** The month that a salary is for. */
export const PERIODS: HeaderWords['words'] = {
  en: 'period,pay period,payroll period,month,payroll month,salary month',
  de: 'periode,abrechnungsperiode,abrechnungsmonat,lohnperiode,lohnmonat,monat',
  fr: 'période,période de paie,mois,mois de paie',
  es: 'periodo,período,periodo de pago,mes',
  it: 'periodo,periodo di paga,mese',
  nl: 'periode,loonperiode,maand',
  pl: 'okres,miesiąc',
  pt: 'período,mês',
};

/**
 * Headers of columns that describe the payment. Sources: what accounting programs publish as fields of their exports and imports:
 * - DATEV (Belegfeld 1, debtors and creditors), windata (Datensatzbeschreibung Zahlungen.CSV)
 * - SAP (vendor line items: Reference, Amount in doc. curr., Net due date), Sage 50 (supplier record fields)
 * - Xero (bills template: ContactName, InvoiceNumber, DueDate, InvoiceAmountDue), QuickBooks (vendor and bill lists: Num, Open balance)
 * - Wise, Revolut, Qonto and Telleroo (templates of batch payments)
 * and the words of these fields in the other languages.
 */
export const PAYMENT_HEADERS: readonly HeaderWords[] = [
  {
    column: 'row_ref',
    also: ['payment_reference'],
    words: {
      en: 'invoice number,invoice no,invoice id,invoice,inv no,inv number,bill number,bill no,document number,document no,doc no,doc number,num,voucher number,transaction id,transaction-id,payment id',
      de: 'rechnungsnummer,rechnungsnr,rechnung nr,rechnungs nr,rechnung,re nr,renr,belegnummer,belegnr,beleg nr,beleg,belegfeld 1,op nummer,ref id',
      fr: 'numéro de facture,numéro facture,n° de facture,n° facture,no facture,no de facture,facture,réf facture,référence facture,numéro de pièce,n° pièce,n° de pièce',
      es: 'número de factura,número factura,nº factura,nº de factura,n.º de factura,num factura,factura,núm factura',
      it: 'numero fattura,numero della fattura,n. fattura,nr fattura,n° fattura,num fattura,fattura,numero documento',
      nl: 'factuurnummer,factuurnr,factuur nr,factuur,boekstuknummer,documentnummer',
      pl: 'numer faktury,nr faktury,faktura,numer dokumentu,nr dokumentu,numer fv,nr fv',
      pt: 'número da fatura,número de fatura,nº fatura,nº da fatura,fatura,número do documento,nº documento,nota fiscal',
    },
  },
  {
    // In Odoo that of the bill, elsewhere that of the line.
    column: null,
    also: ['row_ref'],
    onlyAlone: true,
    words: { en: 'number', de: 'nummer', fr: 'numéro', es: 'número', pl: 'numer' },
  },
  { column: 'row_ref', words: NUMBERS_OF_PEOPLE },
  {
    column: 'payment_reference',
    also: ['row_ref'],
    words: {
      en: 'payment reference,payment ref,reference,ref,bacs reference,remittance information,remittance,payment details,statement reference,beneficiary reference,customer reference,narrative,message to beneficiary,lodgement reference',
      de: 'verwendungszweck,zahlungsreferenz,zahlungsgrund,referenz,vwz,vwz1,verwendungszweck 1,buchungstext',
      fr: 'référence,référence de paiement,référence paiement,libellé,motif,motif du virement,communication,objet',
      es: 'referencia,concepto,referencia de pago,concepto de la transferencia',
      it: 'riferimento,causale,causale bonifico,causale pagamento',
      nl: 'referentie,betalingskenmerk,kenmerk,omschrijving,betaalreferentie,mededeling',
      pl: 'tytuł przelewu,tytuł płatności,tytuł,tytułem,referencja',
      pt: 'referência,referência de pagamento,descritivo,descritivo da transferência',
    },
  },
  {
    column: 'amount',
    words: {
      en: 'amount,payment amount,amount to pay,amount due,invoice amount,invoice amount due,gross amount,total,total amount,open amount,open balance,amount pounds,net pay,net salary,net wage,amount in doc curr,amount in document currency,amount in dc,amt in dc,transfer amount',
      de: 'betrag,umsatz,zahlbetrag,zahlungsbetrag,rechnungsbetrag,bruttobetrag,überweisungsbetrag,offener betrag,endbetrag,gesamtbetrag,brutto,summe,auszahlungsbetrag,nettolohn,netto auszahlung,betrag in belegwährung,saldo',
      fr: 'montant,montant ttc,montant à payer,total ttc,montant total,net à payer,montant dû,montant facture,salaire net',
      es: 'importe,importe total,importe a pagar,total factura,importe factura,líquido a percibir,neto a pagar,salario neto',
      it: 'importo,importo totale,totale,importo da pagare,totale fattura,importo fattura,netto a pagare,netto in busta,stipendio netto',
      nl: 'bedrag,totaalbedrag,te betalen,te betalen bedrag,openstaand bedrag,factuurbedrag,bedrag incl btw,nettoloon,netto loon,totaal',
      pl: 'kwota,kwota brutto,kwota przelewu,do zapłaty,kwota do zapłaty,wartość brutto,razem,kwota netto do wypłaty,do wypłaty',
      pt: 'valor,montante,valor total,valor a pagar,total a pagar,valor da fatura,salário líquido,valor líquido a receber',
    },
  },
  {
    column: 'buy_currency',
    words: {
      en: 'currency,currency code,curr,ccy,invoice currency,document currency,payment currency,target currency,pay currency,transfer currency',
      de: 'währung,whg,wkz,wkz umsatz,währungskennzeichen,belegwährung,rechnungswährung',
      fr: 'devise,monnaie,code devise',
      es: 'moneda,divisa',
      it: 'valuta,divisa',
      nl: 'valuta,munt,muntsoort',
      pl: 'waluta,kod waluty',
      pt: 'moeda,divisa',
    },
  },
  {
    column: 'sell_currency',
    words: {
      en: 'source currency,sell currency,from currency,debit currency',
      de: 'quellwährung,belastungswährung',
      fr: 'devise source,devise du compte débité',
      es: 'moneda de origen,divisa de cargo',
      it: 'valuta di addebito',
      nl: 'bronvaluta',
      pl: 'waluta rachunku obciążanego',
      pt: 'moeda de origem',
    },
  },
  {
    column: 'pay_on',
    words: {
      en: 'payment date,pay date,pay on,value date,execution date,payday,date of payment',
      de: 'zahlungsdatum,ausführungsdatum,zahltermin,termin,zahldatum,wertstellung,zahltag,ausführung am',
      fr: 'date de paiement,date paiement,date d exécution,date de règlement,date de valeur',
      es: 'fecha de pago,fecha pago,fecha de ejecución,fecha valor',
      it: 'data pagamento,data di pagamento,data esecuzione,data valuta',
      nl: 'betaaldatum,uitvoerdatum,uitvoeringsdatum,betalingsdatum',
      pl: 'data płatności,data realizacji,data przelewu,data zapłaty',
      pt: 'data de pagamento,data pagamento,data de execução,data valor',
    },
  },
  {
    // When it is due may be when it is to be paid, or not: a person decides.
    column: null,
    also: ['pay_on'],
    words: {
      en: 'due date,net due date,net due dt,net due,date due,invoice due date',
      de: 'fälligkeit,fälligkeitsdatum,fällig am,fällig,zahlbar bis,zahlbar bis zum,nettofälligkeit,zahlungsziel',
      fr: 'échéance,date d échéance,date échéance',
      es: 'vencimiento,fecha de vencimiento,fecha vencimiento',
      it: 'scadenza,data scadenza,data di scadenza',
      nl: 'vervaldatum,vervaldag',
      pl: 'termin płatności,termin zapłaty',
      pt: 'vencimento,data de vencimento,data vencimento',
    },
  },
  {
    column: 'purpose_of_transfer',
    words: {
      en: 'purpose,purpose code,purpose of payment,payment purpose,transfer purpose',
      de: 'zahlungszweck,zweckschlüssel',
      fr: 'code motif',
      es: 'código de propósito',
      it: 'codice causale',
      nl: 'doelcode',
      pl: 'cel płatności',
      pt: 'finalidade',
    },
  },
  {
    column: 'echo',
    words: {
      en: 'cost centre,cost center,internal note',
      de: 'kostenstelle',
      fr: 'centre de coûts,centre de coût',
      es: 'centro de coste,centro de costes',
      it: 'centro di costo',
      nl: 'kostenplaats',
      pl: 'centrum kosztów,mpk',
      pt: 'centro de custo',
    },
  },
];
