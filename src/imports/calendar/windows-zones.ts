/**
 * The time zones of Windows, one a line: its name, the IANA zone, the offset and the places that its settings show, in English, German
 * and French where they differ. Microsoft's calendars write the name, or "(UTC+01:00) Amsterdam, Berlin, …".
 *
 * The IANA zones are those of CLDR 48.2, windowsZones (© Unicode, Inc., Unicode-3.0), which a test compares with the latest ones. The
 * places are those of Windows, collected by TimeZoneNames (© Matt Johnson-Pint, MIT).
 */
export const WINDOWS_ZONES = `
AUS Central Standard Time | Australia/Darwin | +09:30 | Darwin
AUS Eastern Standard Time | Australia/Sydney | +10:00 | Canberra, Melbourne, Sydney
Afghanistan Standard Time | Asia/Kabul | +04:30 | Kabul; Kaboul
Alaskan Standard Time | America/Anchorage | -09:00 | Alaska
Aleutian Standard Time | America/Adak | -10:00 | Aleutian Islands; Aleuten-Inseln; Îles Aléoutiennes
Altai Standard Time | Asia/Barnaul | +07:00 | Barnaul, Gorno-Altaysk; Barnaul, Gorno-Altaisk; Barnaoul, Gorno-Altaïsk
Arab Standard Time | Asia/Riyadh | +03:00 | Kuwait, Riyadh; Kuwait, Riad; Koweït, Riyad
Arabian Standard Time | Asia/Dubai | +04:00 | Abu Dhabi, Muscat; Abu Dhabi, Muskat
Arabic Standard Time | Asia/Baghdad | +03:00 | Baghdad; Bagdad
Argentina Standard Time | America/Buenos_Aires | -03:00 | City of Buenos Aires; Buenos Aires
Astrakhan Standard Time | Europe/Astrakhan | +04:00 | Astrakhan, Ulyanovsk; Astrachan, Uljanowsk; Astrakhan, Oulianovsk
Atlantic Standard Time | America/Halifax | -04:00 | Atlantic Time (Canada); Atlantic (Kanada); Heure Atlantique (Canada)
Aus Central W. Standard Time | Australia/Eucla | +08:45 | Eucla
Azerbaijan Standard Time | Asia/Baku | +04:00 | Baku; Bakou
Azores Standard Time | Atlantic/Azores | -01:00 | Azores; Azoren; Les Açores
Bahia Standard Time | America/Bahia | -03:00 | Salvador
Bangladesh Standard Time | Asia/Dhaka | +06:00 | Dhaka; Dakka
Belarus Standard Time | Europe/Minsk | +03:00 | Minsk
Bougainville Standard Time | Pacific/Bougainville | +11:00 | Bougainville Island; Bougainville-Insel; Île Bougainville
Canada Central Standard Time | America/Regina | -06:00 | Saskatchewan
Cape Verde Standard Time | Atlantic/Cape_Verde | -01:00 | Cabo Verde Is.; Cabo Verde; Îles de Cabo Verde
Caucasus Standard Time | Asia/Yerevan | +04:00 | Yerevan; Eriwan; Erevan
Cen. Australia Standard Time | Australia/Adelaide | +09:30 | Adelaide; Adélaïde
Central America Standard Time | America/Guatemala | -06:00 | Central America; Mittelamerika; Amérique centrale
Central Asia Standard Time | Asia/Bishkek | +06:00 | Bishkek
Central Brazilian Standard Time | America/Cuiaba | -04:00 | Cuiaba
Central Europe Standard Time | Europe/Budapest | +01:00 | Belgrade, Bratislava, Budapest, Ljubljana, Prague; Belgrad, Bratislava (Pressburg), Budapest, Ljubljana, Prag (Praha)
Central European Standard Time | Europe/Warsaw | +01:00 | Sarajevo, Skopje, Warsaw, Zagreb; Sarajevo, Skopje, Warschau, Zagreb; Sarajevo, Skopje, Varsovie, Zagreb
Central Pacific Standard Time | Pacific/Guadalcanal | +11:00 | Solomon Is., New Caledonia; Salomonen, Neu-Kaledonien; Îles Salomon, Nouvelle-Calédonie
Central Standard Time | America/Chicago | -06:00 | Central Time (US & Canada); Central Zeit (USA & Kanada); Centre (É.-U. et Canada)
Central Standard Time (Mexico) | America/Mexico_City | -06:00 | Guadalajara, Mexico City, Monterrey; Guadalajara, Mexiko-Stadt, Monterrey; Guadalajara, Mexico, Monterrey
Chatham Islands Standard Time | Pacific/Chatham | +12:45 | Chatham Islands; Chatham-Inseln; Îles Chatham
China Standard Time | Asia/Shanghai | +08:00 | Beijing, Chongqing, Hong Kong, Urumqi; Beijing (Peking), Chongqing, Hongkong (SAR), Urumchi; Beijing, Chongqing, Hong Kong (R.A.S.), Urumqi
Cuba Standard Time | America/Havana | -05:00 | Havana; Havanna; Havane (La)
Dateline Standard Time | Etc/GMT+12 | -12:00 | International Date Line West; Internationale Datumsgrenze (Westen); Ligne de date internationale (Ouest)
E. Africa Standard Time | Africa/Nairobi | +03:00 | Nairobi
E. Australia Standard Time | Australia/Brisbane | +10:00 | Brisbane
E. Europe Standard Time | Europe/Chisinau | +02:00 | Chisinau
E. South America Standard Time | America/Sao_Paulo | -03:00 | Brasilia
Easter Island Standard Time | Pacific/Easter | -06:00 | Easter Island; Osterinsel; Île de Pâques
Eastern Standard Time | America/New_York | -05:00 | Eastern Time (US & Canada); Eastern Zeit (USA & Kanada); Est (É.-U. et Canada)
Eastern Standard Time (Mexico) | America/Cancun | -05:00 | Chetumal
Egypt Standard Time | Africa/Cairo | +02:00 | Cairo; Kairo; Le Caire
Ekaterinburg Standard Time | Asia/Yekaterinburg | +05:00 | Ekaterinburg; Jekaterinburg; Iekaterinbourg
FLE Standard Time | Europe/Kiev | +02:00 | Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius; Helsinki, Kiew, Riga, Sofia, Tallinn, Wilna; Helsinki, Kiev, Riga, Sofia, Tallinn, Vilnius
Fiji Standard Time | Pacific/Fiji | +12:00 | Fiji; Fidschi; Fidji
GMT Standard Time | Europe/London | +00:00 | Dublin, Edinburgh, Lisbon, London; Dublin, Edinburgh, Lissabon, London; Dublin, Édimbourg, Lisbonne, Londres
GTB Standard Time | Europe/Bucharest | +02:00 | Athens, Bucharest; Athen, Bukarest; Athènes, Bucarest
Georgian Standard Time | Asia/Tbilisi | +04:00 | Tbilisi; Tiflis; Tbilissi
Greenland Standard Time | America/Godthab | -02:00 | Greenland; Grönland; Groenland
Greenwich Standard Time | Atlantic/Reykjavik | +00:00 | Monrovia, Reykjavik
Haiti Standard Time | America/Port-au-Prince | -05:00 | Haiti; Haïti
Hawaiian Standard Time | Pacific/Honolulu | -10:00 | Hawaii
India Standard Time | Asia/Calcutta | +05:30 | Chennai, Kolkata, Mumbai, New Delhi; Chennai, Kolkata (Kalkutta), Mumbai, Neu-Delhi
Iran Standard Time | Asia/Tehran | +03:30 | Tehran; Teheran; Téhéran
Israel Standard Time | Asia/Jerusalem | +02:00 | Jerusalem; Jérusalem
Jordan Standard Time | Asia/Amman | +03:00 | Amman
Kaliningrad Standard Time | Europe/Kaliningrad | +02:00 | Kaliningrad
Korea Standard Time | Asia/Seoul | +09:00 | Seoul; Séoul
Libya Standard Time | Africa/Tripoli | +02:00 | Tripoli; Tripolis
Line Islands Standard Time | Pacific/Kiritimati | +14:00 | Kiritimati Island; Insel Kiritimati; Kiritimati, Île
Lord Howe Standard Time | Australia/Lord_Howe | +10:30 | Lord Howe Island; Lord-Howe-Insel; Île Lord Howe
Magadan Standard Time | Asia/Magadan | +11:00 | Magadan
Magallanes Standard Time | America/Punta_Arenas | -03:00 | Punta Arenas
Marquesas Standard Time | Pacific/Marquesas | -09:30 | Marquesas Islands; Marquesas-Inseln; Îles Marquises
Mauritius Standard Time | Indian/Mauritius | +04:00 | Port Louis
Middle East Standard Time | Asia/Beirut | +02:00 | Beirut; Beyrouth
Montevideo Standard Time | America/Montevideo | -03:00 | Montevideo
Morocco Standard Time | Africa/Casablanca | +01:00 | Casablanca
Mountain Standard Time | America/Denver | -07:00 | Mountain Time (US & Canada); Mountain Zeit (USA & Kanada); Montagnes Rocheuses (É.-U. et Canada)
Mountain Standard Time (Mexico) | America/Mazatlan | -07:00 | La Paz, Mazatlan
Myanmar Standard Time | Asia/Rangoon | +06:30 | Yangon (Rangoon); Yangon (Rangun); Rangoon
N. Central Asia Standard Time | Asia/Novosibirsk | +07:00 | Novosibirsk; Nowosibirsk; Novossibirsk
Namibia Standard Time | Africa/Windhoek | +02:00 | Windhoek; Windhuk
Nepal Standard Time | Asia/Katmandu | +05:45 | Kathmandu; Katmandu; Katmandou
New Zealand Standard Time | Pacific/Auckland | +12:00 | Auckland, Wellington
Newfoundland Standard Time | America/St_Johns | -03:30 | Newfoundland; Neufundland; Terre-Neuve-et-Labrador
Norfolk Standard Time | Pacific/Norfolk | +11:00 | Norfolk Island; Norfolkinsel; Île Norfolk
North Asia East Standard Time | Asia/Irkutsk | +08:00 | Irkutsk; Irkoutsk
North Asia Standard Time | Asia/Krasnoyarsk | +07:00 | Krasnoyarsk; Krasnojarsk; Krasnoïarsk
North Korea Standard Time | Asia/Pyongyang | +09:00 | Pyongyang; Pjöngjang
Omsk Standard Time | Asia/Omsk | +06:00 | Omsk
Pacific SA Standard Time | America/Santiago | -04:00 | Santiago
Pacific Standard Time | America/Los_Angeles | -08:00 | Pacific Time (US & Canada); Pacific Zeit (USA & Kanada); Pacifique (É.-U. et Canada)
Pacific Standard Time (Mexico) | America/Tijuana | -08:00 | Baja California; Niederkalifornien; Basse Californie
Pakistan Standard Time | Asia/Karachi | +05:00 | Islamabad, Karachi; Islamabad, Karatschi
Paraguay Standard Time | America/Asuncion | -03:00 | Asuncion; Asunción
Qyzylorda Standard Time | Asia/Qyzylorda | +05:00 | Astana
Romance Standard Time | Europe/Paris | +01:00 | Brussels, Copenhagen, Madrid, Paris; Brüssel, Kopenhagen, Madrid, Paris; Bruxelles, Copenhague, Madrid, Paris
Russia Time Zone 10 | Asia/Srednekolymsk | +11:00 | Chokurdakh; Tschokurdach
Russia Time Zone 11 | Asia/Kamchatka | +12:00 | Anadyr, Petropavlovsk-Kamchatsky; Anadyr, Petropawlowsk-Kamtschatski; Anadyr, Petropavlovsk-Kamtchatski
Russia Time Zone 3 | Europe/Samara | +04:00 | Izhevsk, Samara; Ischewsk, Samara
Russian Standard Time | Europe/Moscow | +03:00 | Moscow, St. Petersburg; Moskau, St. Petersburg; Moscou, Saint-Pétersbourg
SA Eastern Standard Time | America/Cayenne | -03:00 | Cayenne, Fortaleza
SA Pacific Standard Time | America/Bogota | -05:00 | Bogota, Lima, Quito, Rio Branco; Bogotá, Lima, Quito, Rio Branco
SA Western Standard Time | America/La_Paz | -04:00 | Georgetown, La Paz, Manaus, San Juan
SE Asia Standard Time | Asia/Bangkok | +07:00 | Bangkok, Hanoi, Jakarta; Bangkok, Hanoi, Djakarta
Saint Pierre Standard Time | America/Miquelon | -03:00 | Saint Pierre and Miquelon; St. Pierre und Miquelon; Saint-Pierre-et-Miquelon
Sakhalin Standard Time | Asia/Sakhalin | +11:00 | Sakhalin; Sachalin; Sakhaline
Samoa Standard Time | Pacific/Apia | +13:00 | Samoa
Sao Tome Standard Time | Africa/Sao_Tome | +00:00 | Sao Tome; São Tomé
Saratov Standard Time | Europe/Saratov | +04:00 | Saratov
Singapore Standard Time | Asia/Singapore | +08:00 | Kuala Lumpur, Singapore; Kuala Lumpur, Singapur; Kuala Lumpur, Singapour
South Africa Standard Time | Africa/Johannesburg | +02:00 | Harare, Pretoria
South Sudan Standard Time | Africa/Juba | +02:00 | Juba
Sri Lanka Standard Time | Asia/Colombo | +05:30 | Sri Jayawardenepura
Sudan Standard Time | Africa/Khartoum | +02:00 | Khartoum; Khartum
Syria Standard Time | Asia/Damascus | +03:00 | Damascus; Damaskus; Damas
Taipei Standard Time | Asia/Taipei | +08:00 | Taipei; Taipeh
Tasmania Standard Time | Australia/Hobart | +10:00 | Hobart
Tocantins Standard Time | America/Araguaina | -03:00 | Araguaina; Araguaína
Tokyo Standard Time | Asia/Tokyo | +09:00 | Osaka, Sapporo, Tokyo; Osaka, Sapporo, Tokio
Tomsk Standard Time | Asia/Tomsk | +07:00 | Tomsk
Tonga Standard Time | Pacific/Tongatapu | +13:00 | Nuku'alofa; Nuku’alofa
Transbaikal Standard Time | Asia/Chita | +09:00 | Chita
Turkey Standard Time | Europe/Istanbul | +03:00 | Istanbul
Turks And Caicos Standard Time | America/Grand_Turk | -05:00 | Turks and Caicos; Turks- und Caicosinseln; Îles Turques-et-Caïques
US Eastern Standard Time | America/Indianapolis | -05:00 | Indiana (East); Indiana (Ost); Indiana (Est)
US Mountain Standard Time | America/Phoenix | -07:00 | Arizona
UTC | Etc/UTC | +00:00 | Coordinated Universal Time; Koordinierte Weltzeit; Temps universel coordonné
UTC+12 | Etc/GMT-12 | +12:00 | Coordinated Universal Time+12; Koordinierte Weltzeit+12; Temps universel coordonné+12
UTC+13 | Etc/GMT-13 | +13:00 | Coordinated Universal Time+13; Koordinierte Weltzeit+13; Temps universel coordonné+13
UTC-02 | Etc/GMT+2 | -02:00 | Coordinated Universal Time-02; Koordinierte Weltzeit-02; Temps universel coordonné-02
UTC-08 | Etc/GMT+8 | -08:00 | Coordinated Universal Time-08; Koordinierte Weltzeit-08; Temps universel coordonné-08
UTC-09 | Etc/GMT+9 | -09:00 | Coordinated Universal Time-09; Koordinierte Weltzeit-09; Temps universel coordonné-09
UTC-11 | Etc/GMT+11 | -11:00 | Coordinated Universal Time-11; Koordinierte Weltzeit-11; Temps universel coordonné-11
Ulaanbaatar Standard Time | Asia/Ulaanbaatar | +08:00 | Ulaanbaatar; Ulan-Bator; Oulan-Bator
Venezuela Standard Time | America/Caracas | -04:00 | Caracas
Vladivostok Standard Time | Asia/Vladivostok | +10:00 | Vladivostok; Wladiwostok
Volgograd Standard Time | Europe/Volgograd | +03:00 | Volgograd; Wolgograd
W. Australia Standard Time | Australia/Perth | +08:00 | Perth
W. Central Africa Standard Time | Africa/Lagos | +01:00 | West Central Africa; West-Zentralafrika; Afrique centrale - Ouest
W. Europe Standard Time | Europe/Berlin | +01:00 | Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna; Amsterdam, Berlin, Bern, Rom, Stockholm, Wien; Amsterdam, Berlin, Berne, Rome, Stockholm, Vienne
W. Mongolia Standard Time | Asia/Hovd | +07:00 | Hovd
West Asia Standard Time | Asia/Tashkent | +05:00 | Ashgabat, Tashkent; Aschgabat, Taschkent; Achgabat, Tachkent
West Bank Standard Time | Asia/Hebron | +02:00 | Gaza, Hebron; Gaza, Hébron
West Pacific Standard Time | Pacific/Port_Moresby | +10:00 | Guam, Port Moresby
Yakutsk Standard Time | Asia/Yakutsk | +09:00 | Yakutsk; Jakutsk; Yakoutsk
Yukon Standard Time | America/Whitehorse | -07:00 | Yukon
`;
