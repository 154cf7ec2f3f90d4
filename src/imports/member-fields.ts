/**
 * How programs and people name the columns of member lists, in lower case and without spaces: those of the exports of Cobot,
 * OfficeRnD, Nexudus, Outlook and Google Contacts, and those of lists in English, German and French.
 */
export const HEADER_SPELLINGS = {
  name: 'name fullname membername memberfullname displayname contactname coworkername customername vollername',
  firstName: 'firstname givenname forename vorname prenom',
  lastName: 'lastname surname familyname nachname familienname nomdefamille nom',
  email:
    'email emailaddress mail mailaddress primaryemail email1 email1value memberemail contactemail emailadresse mailadresse courriel adressemail',
  phone:
    'phone phonenumber telephone telephonenumber tel mobile mobilephone mobilephonenumber mobilenumber cell cellphone ' +
    'landline primaryphone contactphone phone1value businessphone workphone homephone telefon telefonnummer mobil mobiltelefon handy portable numerodetelephone',
  company:
    'company companyname organisation organization organisationname organizationname businessname billingcompany organization1name ' +
    'firma firmenname unternehmen societe entreprise',
  address:
    'address street streetaddress addressline1 address1 address1street billingaddress businessstreet homestreet postaladdress ' +
    'anschrift adresse strae strasse straenr strasseundhausnummer straeundhausnummer rue',
  postcode:
    'postcode postalcode zip zipcode address1postalcode billingpostcode billingpostalcode businesspostalcode homepostalcode ' +
    'plz postleitzahl codepostal',
  city: 'city town cityname address1city billingcity businesscity homecity stadt ort wohnort ville',
  country:
    'country countryname countrycode address1country billingcountry businesscountryregion homecountryregion land pays',
  customerNumber:
    'customernumber customerno customerid clientnumber debtornumber accountnumber kundennummer kundennr debitorennummer numeroclient numerodeclient',
  status:
    'status memberstatus membershipstatus contactstatus calculatedstatus mitgliedsstatus statut',
  active: 'active isactive aktiv actif',
  approved: 'approved isapproved confirmed isconfirmed approvalstatus',
  team: 'team teamname teams teamnames group groupname equipe gruppe',
  plan: 'plan planname membership membershipplan membershiptype currentplan tariff tariffname tarif tarifname formule abonnement',
  startsOn:
    'startdate start startson starts startsat startedon membersince since joined joinedon joindate joiningdate membershipstart ' +
    'membershipstartdate registrationdate startdatum beginn eintritt eintrittsdatum mitgliedseit datededebut debut membredepuis dateadhesion datedadhesion',
  endsOn:
    'enddate end endson endsat canceledto cancelledto canceledon cancelledon cancellationdate canceldate membershipend ' +
    'membershipenddate expirydate expirationdate expires expireson expiresat membershipexpiry membershipexpirydate membershipexpires ' +
    'membershipexpirationdate validuntil leftthespaceon gueltigbis gultigbis enddatum ende austritt austrittsdatum kuendigungsdatum kundigungsdatum datedefin',
} as const;

export type MemberField = keyof typeof HEADER_SPELLINGS;

export const MEMBER_FIELDS = Object.keys(HEADER_SPELLINGS) as [MemberField, ...MemberField[]];
