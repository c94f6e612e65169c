"""Word lists of the linker's guards: what is a cue, a class, or no mention at all."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GREEK_WORDS = _words(
    """
    alpha beta gamma delta epsilon zeta eta theta kappa lambda mu pi sigma tau omega
    """
)


GENE_CUES = _words(
    """
    gene genes protein proteins mutation mutations mutated mutant variant variants allele
    alleles polymorphism polymorphisms expression locus receptor receptors kinase enzyme
    knockout mrna transcript encode encodes encoding encoded isoform homozygous heterozygous
    deletion gain loss signaling signalling pathway deficiency transporter genotype antibody
    promoter
    """
)
"""Words beside a symbol that say: a gene or its protein is meant."""

CLASS_WORDS = _words(
    """
    inhibitor inhibitors blocker blockers antagonist antagonists agonist agonists agent agents
    analog analogs analogue analogues stimulator stimulators modulator modulators
    """
)
"""A name before one of these is the name of a drug class: "ACE inhibitor"."""

DRUG_CLASSES = _words(
    """
    statin statins nsaid nsaids thiazide thiazides sulfonylurea sulfonylureas gliptin gliptins
    gliflozin gliflozins glitazone glitazones fibrate fibrates nitrate nitrates opioid opioids
    benzodiazepine benzodiazepines barbiturate barbiturates corticosteroid corticosteroids
    steroid steroids antibiotic antibiotics diuretic diuretics anticoagulant anticoagulants
    antidepressant antidepressants antipsychotic antipsychotics antiepileptic antiepileptics
    aminoglycoside aminoglycosides fluoroquinolone fluoroquinolones macrolide macrolides
    cephalosporin cephalosporins penicillins carbapenem carbapenems tetracyclines sulfonamides
    bisphosphonate bisphosphonates triptan triptans azole azoles ssri ssris snri snris maoi
    maois arb arbs acei aceis ppi ppis tca tcas doac doacs antihistamine antihistamines
    contraceptive contraceptives vaccine vaccines immunosuppressant immunosuppressants
    """
)
"""Classes of drugs. PrimeKG has no node for a class, so a class is named and left unlinked."""

NOT_A_MENTION = _words(
    """
    right left severe mild moderate profound borderline all healthy bilateral unilateral chronic
    acute subacute recurrent diffuse onset generalized localized occasional progressive
    peripheral central frequent frequency affected stable distal proximal lateral medial
    position dull sharp focal severity episodic prolonged transient fluctuating refractory
    periodic nocturnal sporadic tender reticular perineal periumbilical spinning falls quality
    clinical adult juvenile infantile neonatal congenital childhood antenatal late early
    duration course age sudden predominantly increasing decreasing aggravated ameliorated
    triggered dependent independent variable rare excessive typical mixed horizontal vertical
    symmetric asymmetric multifocal regional systemic temporal pattern phenotype laterality
    extreme death allergy pain cancer carcinoma tumor neoplasm injury disease disorder syndrome
    infection inflammation burn poisoning polyp lesion mass membrane nucleus cell cytoplasm
    binding secretion excretion growth sleep memory learning behavior heart brain bronchus aging
    localization translation transcription transport signaling metabolism digestion birth
    pregnancy water air light face adenoma adenocarcinoma abnormality complication symptom
    finding shock aspiration was set rest met cat son bad pole camp pip cast ran prep act ache
    lap rho iv hr th fev gas impact can mice gold lead silver map spin large star max rod amh
    ends mark task best clock fat hip arm cap chat chip coil cope crisp dare den fast fuse gaps
    hook host jun kin lag line mass mitten nail not par pass patched per plan pump ring rock
    rose sex ship sit skip slit spring stop tank tap tube wars wish zip mars oxygen time wheel
    stone
    homelessness homeless homelike heterogeneous axial perimenopausal excluded
    """
)
"""Single words that are never linked in a running text; a claim's own name may still be."""

RISKY_SYMBOLS = _words(
    """
    ACE ACHE AGS ANA AR CAT CRP ECG EEG ESR FBS HR IGM LAP LPS LSD MET MRI PAH PPI PSA PTT RNP
    ROS SET T3 T4 TH TSH WAS AST ALT ALP HCC COPD BUN CBC CNS ICU IV IMPACT REST CT DM MI MS PE
    RA RR BP PC PT INR UTI CHF CHD CAD TB HIV BMI ADH GFR MB C3 C4 CD4 CD8
    """
)
"""Symbols that medicine mostly uses for something else: a test, a disease, a vital sign."""

LOWER_CASE = _words(
    """
    htn ckd ckd1 ckd2 ckd3 ckd3a ckd3b ckd4 ckd5 dm t1dm t2dm dm1 dm2 copd gerd gord chf ccf
    hfref hfpef afib esrd esrf eskd nstemi stemi dvt tia svt bph hbv hcv hiv ptsd nafld pcos sle
    uti dka ibd paf
    """
)
"""Abbreviations that spell no English word, so that they count in lower case too."""

MEASURED = _words(
    """
    potassium sodium calcium magnesium phosphate phosphorus chloride bicarbonate glucose iron
    urea cholesterol creatine creatinine albumin alanine aspartate prothrombin thrombin ammonia
    bilirubin hemoglobin lactate triglyceride cortisol aldosterone testosterone estradiol
    thyroxine insulin copper zinc ferritin protein
    """
)
"""Substances that are drugs or exposures of the graph and also what a laboratory measures."""

NOT_A_PHRASE = frozenset(
    {
        "past medical history",
        "medical history",
        "family history",
        "social history",
        "physical examination",
        "aggravated by",
        "ameliorated by",
        "triggered by",
        "age of onset",
    }
)
"""Headings of HPO that are nodes of the graph but no entity of a question."""

MODIFIERS = _words(
    """
    a an the severe mild moderate worsening uncontrolled poorly controlled well suspected known
    new-onset newly diagnosed active untreated symptomatic asymptomatic refractory recurrent
    new uncomplicated confirmed diagnosed established ongoing current long-standing longstanding
    history of prior patient patients with therapy treatment administration use using give
    start begin initiate continue stop discontinue switch to add increase decrease prescribe
    order oral orally intravenous intravenously iv im subcutaneous topical inhaled intranasal
    rectal low-dose high-dose dose daily once twice weekly tablet tablets injection infusion
    """
)
"""Words around a name that say how, how much or since when, and leave the name what it is."""
