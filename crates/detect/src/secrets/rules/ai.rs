//! Model providers and their tools.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token(
        "openai-key",
        "OpenAI API key",
        concat!(r"sk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_\-]{20,90}", r"T3BlbkFJ[A-Za-z0-9_\-]{20,90}"),
    )
    .keywords(&["T3BlbkFJ"])
    .entropy(3.0)
    .shape(&[Text("sk-proj-"), AtLeast(Alnum, 20), Text("T3BlbkFJ"), AtLeast(Alnum, 20)]),
    Rule::token(
        "openai-scoped-key",
        "OpenAI project, service or admin key",
        r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_\-]{40,}",
    )
    .keywords(&["sk-proj-", "sk-svcacct-", "sk-admin-"])
    .entropy(3.5)
    .shape(&[Text("sk-svcacct-"), AtLeast(Alnum, 40)]),
    Rule::token("anthropic-key", "Anthropic API key", r"sk-ant-(?:api|sid|oat)[0-9]{2}-[A-Za-z0-9_\-]{80,}")
        .keywords(&["sk-ant-"])
        .entropy(3.5)
        .shape(&[Text("sk-ant-api03-"), AtLeast(UrlSafe, 80)]),
    Rule::token("anthropic-admin-key", "Anthropic admin API key", r"sk-ant-admin[0-9]{2}-[A-Za-z0-9_\-]{80,}")
        .keywords(&["sk-ant-admin"])
        .entropy(3.5)
        .shape(&[Text("sk-ant-admin01-"), AtLeast(UrlSafe, 80)]),
    Rule::token("huggingface-token", "Hugging Face user access token", r"hf_[A-Za-z0-9]{34,40}")
        .keywords(&["hf_"])
        .entropy(3.5)
        .shape(&[Text("hf_"), AtLeast(Alnum, 34)]),
    Rule::token("huggingface-organization-token", "Hugging Face organisation token", r"api_org_[A-Za-z]{34}")
        .keywords(&["api_org_"])
        .entropy(3.5)
        .shape(&[Text("api_org_"), Exactly(Letter, 34)]),
    Rule::assigned("cohere-key", "Cohere API key", r"cohere|co_api", r"[A-Za-z0-9]{40}")
        .keywords(&["cohere", "co_api"])
        .entropy(3.8)
        .around("COHERE_API_KEY=", "\n")
        .shape(&[Exactly(Alnum, 40)]),
    Rule::token("perplexity-key", "Perplexity API key", r"pplx-[A-Za-z0-9]{48}")
        .keywords(&["pplx-"])
        .entropy(3.5)
        .shape(&[Text("pplx-"), Exactly(Alnum, 48)]),
    Rule::token("groq-key", "Groq API key", r"gsk_[A-Za-z0-9]{52}")
        .keywords(&["gsk_"])
        .entropy(3.5)
        .shape(&[Text("gsk_"), Exactly(Alnum, 52)]),
    Rule::token("replicate-token", "Replicate API token", r"r8_[A-Za-z0-9]{37}")
        .keywords(&["r8_"])
        .entropy(3.5)
        .shape(&[Text("r8_"), Exactly(Alnum, 37)]),
    Rule::assigned("mistral-key", "Mistral API key", "mistral", r"[A-Za-z0-9]{32}")
        .keywords(&["mistral"])
        .entropy(3.5)
        .around("MISTRAL_API_KEY=", "\n")
        .shape(&[Exactly(Alnum, 32)]),
    Rule::token("xai-key", "xAI API key", r"xai-[A-Za-z0-9]{80}")
        .keywords(&["xai-"])
        .entropy(3.5)
        .shape(&[Text("xai-"), Exactly(Alnum, 80)]),
    Rule::assigned("deepseek-key", "DeepSeek API key", "deepseek", r"sk-[a-f0-9]{32}")
        .keywords(&["deepseek"])
        .around("DEEPSEEK_API_KEY=", "\n")
        .shape(&[Text("sk-"), Exactly(Hex, 32)]),
    Rule::assigned("together-key", "Together AI API key", "together", r"[a-f0-9]{64}")
        .keywords(&["together"])
        .around("TOGETHER_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 64)]),
    Rule::token("openrouter-key", "OpenRouter API key", r"sk-or-v1-[a-f0-9]{64}")
        .keywords(&["sk-or-v1-"])
        .shape(&[Text("sk-or-v1-"), Exactly(Hex, 64)]),
    Rule::token("elevenlabs-key", "ElevenLabs API key", r"sk_[a-f0-9]{48}")
        .keywords(&["sk_"])
        .shape(&[Text("sk_"), Exactly(Hex, 48)]),
    Rule::token("nvidia-key", "NVIDIA API key", r"nvapi-[A-Za-z0-9_\-]{64}")
        .keywords(&["nvapi-"])
        .entropy(3.5)
        .shape(&[Text("nvapi-"), Exactly(UrlSafe, 64)]),
    Rule::token("langsmith-key", "LangSmith API key", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}")
        .keywords(&["lsv2_"])
        .shape(&[Text("lsv2_pt_"), Exactly(Hex, 32), Text("_"), Exactly(Hex, 10)]),
    Rule::token("langfuse-secret", "Langfuse secret key", r"sk-lf-<UUID>")
        .keywords(&["sk-lf-"])
        .shape(&[Text("sk-lf-"), Uuid]),
    Rule::token("pinecone-key", "Pinecone API key", r"pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{50,70}")
        .keywords(&["pcsk_"])
        .entropy(3.5)
        .shape(&[Text("pcsk_"), Exactly(Alnum, 6), Text("_"), AtLeast(Alnum, 50)]),
    Rule::token("voyage-key", "Voyage AI API key", r"pa-[A-Za-z0-9_\-]{43}")
        .keywords(&["pa-"])
        .entropy(4.0)
        .shape(&[Text("pa-"), Exactly(UrlSafe, 43)]),
    Rule::assigned("wandb-key", "Weights & Biases API key", "wandb", r"[a-f0-9]{40}")
        .keywords(&["wandb"])
        .around("WANDB_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::token("cerebras-key", "Cerebras API key", r"csk-[a-z0-9]{48}")
        .keywords(&["csk-"])
        .entropy(3.5)
        .shape(&[Text("csk-"), Exactly(LowerAlnum, 48)]),
    Rule::token("tavily-key", "Tavily API key", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}")
        .keywords(&["tvly-"])
        .entropy(3.5)
        .shape(&[Text("tvly-"), Exactly(Alnum, 32)]),
    Rule::token("fireworks-key", "Fireworks AI API key", r"fw_[A-Za-z0-9]{24}")
        .keywords(&["fw_"])
        .entropy(3.5)
        .shape(&[Text("fw_"), Exactly(Alnum, 24)]),
    Rule::assigned("assemblyai-key", "AssemblyAI API key", "assemblyai|assembly_ai", r"[a-f0-9]{32}")
        .keywords(&["assemblyai", "assembly_ai"])
        .around("ASSEMBLYAI_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::assigned("privateai-key", "Private AI API key", "private[_-]?ai", r"[a-z0-9]{32}")
        .keywords(&["privateai", "private_ai", "private-ai"])
        .entropy(3.0)
        .around("PRIVATEAI_API_KEY=", "\n")
        .shape(&[Exactly(LowerAlnum, 32)]),
];
