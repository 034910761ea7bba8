import type { HeaderWords } from './header-words.ts';

/** Headers that sound like one of ours and are none. Sources: as in header-words-payment.ts. */
export const OTHER_HEADERS: readonly HeaderWords[] = [
  {
    // When it was written, and not when it is paid.
    column: null,
    words: {
      en: 'date,invoice date,bill date,document date,posting date,entry date,invoice received,created,planned date',
      de: 'datum,rechnungsdatum,belegdatum,buchungsdatum,eingangsdatum',
      fr: 'date facture,date de facture,date de la facture,date comptable',
      es: 'fecha,fecha factura,fecha de factura,fecha de emisión,fecha contable',
      it: 'data,data fattura,data documento,data emissione,data registrazione',
      nl: 'factuurdatum,boekdatum',
      pl: 'data faktury,data wystawienia,data sprzedaży,data dokumentu',
      pt: 'data da fatura,data de emissão',
    },
  },
  {
    // Amounts that are not what is paid.
    column: null,
    words: {
      en: 'net amount,net,subtotal,tax,tax amount,tax total,vat,vat amount,discount,discount amount,gross pay,gross salary,gross wage,amount in local currency,amount in lc,amt in loc cur,local currency,l curr,invoice amount paid,amount paid,line amount,unit amount,quantity,balance,credit limit,deductions,hourly rate,hours worked',
      de: 'netto,nettobetrag,mwst,mwst betrag,umsatzsteuer,ust,steuer,steuerbetrag,skonto,skontobetrag,bruttolohn,bruttogehalt,betrag in hauswährung,bezahlt,menge,kreditlimit,steuersatz',
      fr: 'montant ht,total ht,tva,montant tva,remise,salaire brut,quantité',
      es: 'base imponible,iva,importe iva,descuento,salario bruto,cantidad',
      it: 'imponibile,iva inclusa,importo iva,sconto,stipendio lordo,quantità',
      nl: 'bedrag excl btw,btw,btw bedrag,korting,brutoloon,aantal',
      pl: 'kwota netto,wartość netto,vat kwota,kwota vat,rabat,wynagrodzenie brutto,ilość',
      pt: 'valor líquido,valor iva,desconto,salário bruto,quantidade,base tributável',
    },
  },
  {
    column: null,
    words: {
      en: 'vat number,vat id,vat no,tax id,tax number,tin,telephone,phone,phone number,mobile,fax,website,status,type,department,payment terms,terms,payment method,days overdue,comment,comments,notes,note,user,company code,fiscal year,document type,posting key,gl account,nominal code,account code,tax type,date of birth,national insurance number,employment type,period start,period end,recipient detail,amount currency,optimise clearing',
      de: 'ust idnr,ust id,ustid,eu ustid,steuernummer,telefon,telefonnummer,tel,handy,status,bemerkung,bemerkungen,notiz,zahlungsbedingung,zahlungsart,sachkonto,gegenkonto,konto,buchungskreis,anrede,abteilung,sachbearbeiter,lfd nr,steuerschlüssel,geburtsdatum,textschlüssel bzw zahlart,sequenz,mandat id,mandat datum',
      fr: 'n° tva,numéro de tva,téléphone,portable,statut,commentaire,commentaires,mode de paiement,conditions de paiement,civilité,compte comptable',
      es: 'nif,cif,dni,teléfono,móvil,estado pago,observaciones,forma de pago,condiciones de pago,cuenta contable',
      it: 'partita iva,p iva,codice fiscale,telefono,stato,note,modalità di pagamento,termini di pagamento',
      nl: 'btw nummer,telefoon,opmerking,opmerkingen,betaalwijze,betalingstermijn,grootboekrekening',
      pl: 'nip,telefon,uwagi,sposób płatności,forma płatności,pesel,lp',
      pt: 'nif,contribuinte,telefone,observações,forma de pagamento,condições de pagamento',
    },
  },
  {
    // Whom they pay, under a number of their own that others call an account.
    column: null,
    words: { en: 'account reference,a c', de: 'kreditorenkonto', fr: 'compte tiers' },
  },
  {
    // The account that pays.
    column: null,
    excludes: true,
    words: {
      en: 'debit account,from account,source account,payer account,ordering account,originating account number,originating sort code,our account,paying bank,from iban,iban from',
      de: 'auftraggeber,auftraggeberkonto,ag name,ag konto nr bzw iban,ag iban,ag blz bzw bic,iban auftraggeber,bic auftraggeber,belastungskonto,eigenes konto,eigene iban',
      fr: 'compte débité,compte émetteur,compte à débiter,iban donneur d ordre',
      es: 'cuenta de cargo,cuenta ordenante,ordenante',
      it: 'conto di addebito,ordinante,iban ordinante',
      nl: 'opdrachtgever,rekening opdrachtgever,iban opdrachtgever',
      pl: 'rachunek obciążany,rachunek nadawcy,nadawca',
      pt: 'conta a debitar,conta de débito,ordenante',
    },
  },
  {
    column: null,
    words: {
      en: 'address line 2,address line 3,address line 4,address line 5,address 2,address 3,purchase order,po number,order number,project,project name,bank account type,account type',
      de: 'adresszusatz,hausnummer,postfach,bestellnummer,projekt,name2,beg zahlpfl name2,name 2',
      fr: 'complément d adresse,bon de commande,projet,adresse 2',
      es: 'pedido,número de pedido,proyecto',
      it: 'ordine,numero ordine,progetto',
      nl: 'huisnummer,ordernummer,project nr',
      pl: 'numer zamówienia,projekt nr',
      pt: 'número do pedido,projeto',
    },
  },
];
