/** Legal forms of companies, as they are written at the end of a name: short, and in full. Dots and marks do not count. */
export const LEGAL_FORMS: readonly string[] = [
  // German
  ...['GmbH', 'Gesellschaft mit beschränkter Haftung', 'Gesellschaft mbH', 'GesmbH', 'Ges mbH', 'mbH', 'gGmbH'],
  ...['AG', 'Aktiengesellschaft', 'UG', 'Unternehmergesellschaft', 'haftungsbeschränkt', 'KG', 'Kommanditgesellschaft'],
  ...['KGaA', 'OHG', 'offene Handelsgesellschaft', 'GbR', 'eK', 'eV', 'eG', 'eU', 'SE', 'Co', 'Cie'],
  // English
  ...['Ltd', 'Limited', 'PLC', 'public limited company', 'LLC', 'limited liability company', 'LLP', 'LP'],
  ...['limited liability partnership', 'limited partnership', 'Inc', 'Incorporated', 'Corp', 'Corporation', 'Company'],
  ...['Pty', 'Proprietary', 'Pvt', 'Private', 'Pte', 'Sdn', 'Bhd', 'CIC', 'PC'],
  // French, Spanish, Portuguese, Italian
  ...['SA', 'société anonyme', 'SAS', 'SASU', 'société par actions simplifiée', 'SARL', 'EURL', 'SCI', 'SNC', 'SRL'],
  ...['société à responsabilité limitée', 'SL', 'SLU', 'SAU', 'sociedad limitada', 'sociedad anónima', 'SLL', 'de CV'],
  ...['sociedad de responsabilidad limitada', 'de RL', 'Lda', 'Ltda', 'Limitada', 'Sàrl', 'SpA', 'società per azioni'],
  'società a responsabilità limitata',
  // Dutch, Nordic, Baltic
  ...['BV', 'besloten vennootschap', 'NV', 'naamloze vennootschap', 'VOF', 'AB', 'aktiebolag', 'AS', 'ASA', 'A/S'],
  ...[
    'aksjeselskap',
    'aktieselskab',
    'ApS',
    'anpartsselskab',
    'I/S',
    'K/S',
    'Oy',
    'Oyj',
    'osakeyhtiö',
    'Abp',
    'hf',
    'ehf',
  ],
  ...['OÜ', 'osaühing', 'UAB', 'SIA', 'HB', 'handelsbolag', 'ANS'],
  // Polish, Czech, Slovak, Hungarian, Romanian, Turkish
  ...[
    'sp z oo',
    'sp z o o',
    'spółka z ograniczoną odpowiedzialnością',
    'sp k',
    'sp j',
    'spółka akcyjna',
    'spółka komandytowa',
  ],
  ...[
    'sro',
    's r o',
    'spol',
    'spol s',
    'společnost s ručením omezeným',
    'a s',
    'akciová společnost',
    'Kft',
    'Zrt',
    'Nyrt',
    'Bt',
  ],
  ...['doo', 'd o o', 'dd', 'EOOD', 'OOD', 'Şti', 'AŞ', 'anonim şirketi', 'limited şirketi'],
  // Japanese, Chinese, Russian, Greek
  ...['KK', 'kabushiki kaisha', '株式会社', '有限公司', 'ООО', 'ОАО', 'ЗАО', 'ПАО', 'АО', 'АЕ', 'ΑΕ', 'ΕΠΕ', 'ΙΚΕ'],
];

/** Those that stand in front of a name in their countries. */
export const LEADING_LEGAL_FORMS: readonly string[] = [
  ...['ООО', 'ОАО', 'ЗАО', 'ПАО', 'АО', 'UAB', 'SIA', 'OÜ', 'PT', 'CV', 'Oy', 'AB', '株式会社'],
];
