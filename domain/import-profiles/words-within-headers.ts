/** Words that make a header mean something else than its other words say, by language: lists separated by commas. */
type Words = Readonly<Record<string, string>>;

/** Within the header of an account: it is the account that pays, or one that the beneficiary had before. */
export const OTHER_ACCOUNT_WORDS: Words = {
  en: 'our,ours,own,my,debit,debited,debtor,sender,senders,payer,payers,payor,remitter,originator,source,old,previous,former,prior',
  de:
    'unser,unsere,unseres,eigen,eigene,eigenes,belastung,belastete,belastetes,lastschrift,absender,absenderkonto,absenders,auftraggebers,' +
    'zahler,zahlers,zahlerkonto,alt,alte,altes,altkonto,bisherig,bisherige,bisheriges,vorherige,vorheriges,frühere,früheres,ehemalige',
  fr: 'notre,nos,propre,débit,débité,débiter,émetteur,expéditeur,payeur,donneur,ancien,ancienne,précédent,précédente',
  es: 'nuestro,nuestra,propio,propia,débito,cargo,remitente,pagador,emisor,antiguo,antigua,anterior,viejo,vieja',
  it: 'nostro,nostra,proprio,propria,addebito,mittente,pagatore,vecchio,vecchia,precedente',
  nl: 'ons,onze,eigen,debet,afzender,betaler,oud,oude,vorig,vorige',
  pl: 'nasz,nasze,własny,własne,obciążany,obciążenia,płatnik,płatnika,nadawca,nadawcy,stary,stare,poprzedni,poprzednie',
  pt: 'nosso,nossa,próprio,própria,débito,remetente,pagador,antigo,antiga,anterior',
};

/** Within the header of an amount: it is in a smaller or larger unit than the currency. */
export const OTHER_UNIT_WORDS: Words = {
  en: 'cent,cents,pence,penny,minor,thousand,thousands,000,000s,1000,k,m,t,mn,mm,million,millions,bn,billion,billions,lakh,lakhs,crore,crores',
  de: 'teur,tchf,tusd,tgbp,keur,kchf,kusd,kgbp,meur,tsd,tausend,tausender,mio,million,millionen,mrd,milliarden,rappen',
  fr: 'centimes,mille,milliers,millions,milliards',
  es: 'céntimos,centavos,mil,miles,millón,millones',
  it: 'centesimi,mila,migliaia,milione,milioni',
  nl: 'centen,eurocent,duizend,duizenden,mln,miljoen,miljoenen',
  pl: 'grosz,grosze,groszach,groszy,tys,tysiące,tysiącach,mln,milion,miliony,milionach',
  pt: 'cêntimos,centavos,mil,milhares,milhão,milhões',
};
